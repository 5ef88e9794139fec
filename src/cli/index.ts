import { SettingsError } from '#src/base/settings-error.ts';
import { suggest } from '#src/base/suggest.ts';
import type { ConfiguredCommand } from '#src/program/config.ts';
import { type Command, parseInvocation, UsageError } from './command.ts';
import { describeCommand, describeCommands } from './help.ts';
import type { Io } from './io.ts';

type Loaders = Readonly<Record<string, () => Promise<Command>>>;

/** Each sub-command, loaded when it is asked for: `version` should not wait for the engine. What a setting is for must be here. */
const COMMANDS: Loaders & { readonly [Name in ConfiguredCommand]: () => Promise<Command<Name>> } = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  log: async () => (await import('./commands/log.ts')).logCommand,
  brand: async () => (await import('./commands/brand.ts')).brandCommand,
  train: async () => (await import('./commands/train.ts')).trainCommand,
  evaluate: async () => (await import('./commands/evaluate.ts')).evaluateCommand,
  openapi: async () => (await import('./commands/openapi.ts')).openapiCommand,
  healthcheck: async () => (await import('./commands/healthcheck.ts')).healthcheckCommand,
  licenses: async () => (await import('./commands/licenses.ts')).licensesCommand,
  sbom: async () => (await import('./commands/sbom.ts')).sbomCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  version: async () => (await import('./commands/version.ts')).versionCommand,
};

const HELP = new Set(['help', '--help', '-h']);

/**
 * The whole command line. Resolves to the exit code: 0 done, 1 it failed, 2 it was asked wrongly; `check` has more.
 * Never throws.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const [name = 'help', ...rest] = argv;
  try {
    if (HELP.has(name)) return await help(rest[0], io);
    if (name === '--version' || name === '-v') return await run(['version'], io);
    const command = await find(name);
    if (rest.includes('--help')) return await help(name, io);
    return await command.run(await parseInvocation(command, rest, io), io);
  } catch (error) {
    return await explain(error, name, io);
  }
}

async function find(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) return await load();
  throw new UsageError(`there is no command "${name}"${suggest(name, Object.keys(COMMANDS))}`);
}

async function help(name: string | undefined, io: Io): Promise<number> {
  const text =
    name === undefined
      ? describeCommands(await Promise.all(Object.values(COMMANDS).map((load) => load())))
      : describeCommand(await find(name));
  await io.stdout.write(text);
  return 0;
}

async function explain(error: unknown, name: string, io: Io): Promise<number> {
  if (error instanceof UsageError) {
    await io.stderr.write(`lurecheck: ${error.message}\nSee: lurecheck help${HELP.has(name) ? '' : ` ${name}`}\n`);
    return 2;
  }
  if (error instanceof SettingsError) {
    await io.stderr.write(error.problems.map((problem) => `lurecheck: ${problem}\n`).join(''));
    return 2;
  }
  const stack = error instanceof Error && io.environment['LURECHECK_LOG_LEVEL'] === 'debug' ? `${error.stack}\n` : '';
  await io.stderr.write(`lurecheck: ${error instanceof Error ? error.message : String(error)}\n${stack}`);
  return 1;
}
