import { SETTINGS } from '#src/app/config.ts';
import { systemProblem } from '#src/checks/store/file/fault.ts';
import { ERRORS } from '#src/core/base/errors/error-table.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Io } from '#src/core/base/io.ts';
import { suggest } from '#src/core/base/text/edit-distance.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { commandFirst, readArguments } from './arguments.ts';
import { type ColourChoice, wantsColour } from './colour.ts';
import { type Command, UsageError } from './command.ts';
import type { ExitCode } from './exit-codes.ts';
import {
  describeCommand,
  describeCommands,
  describeFirst,
  describeParts,
  describeSetting,
  describeSettings,
} from './help.ts';
import { HELP_COMMAND, helpTopics } from './help-topics.ts';
import { colourIn, parseInvocation } from './invocation.ts';
import { MERGED } from './merged-commands.ts';
import { ALL_COMMANDS, allCommands, COMMANDS } from './registry.ts';
import { runOnData } from './run-on-data.ts';

const HELP = new Set(['help', '--help', '-h']);
/** Selects every command instead of a topic; no command has this name. */
const ALL = '--all';

const VERSION = new Set(['version', '--version', '-V', '-v']);

/** The whole command line. Resolves to the exit code, see {@link ExitCode}. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const isCommand = (word: string) =>
    HELP.has(word) || VERSION.has(word) || Object.hasOwn(ALL_COMMANDS, word) || Object.hasOwn(MERGED, word);
  const [name = 'help', ...rest] = unmerged(commandFirst(argv, isCommand));
  try {
    if (HELP.has(name)) {
      const { positionals, values } = readArguments(HELP_COMMAND, rest);
      const [topic] = unmerged(positionals);
      if (values.has('all') && topic !== undefined)
        throw new UsageError(`help --all takes no topic: unexpected "${topic}"`);
      return await help(values.has('all') ? ALL : topic, io, colourIn(values));
    }
    const command = await find(VERSION.has(name) ? 'version' : name);
    const given = readArguments(command, rest);
    if (given.values.has('help')) return await help(command.name, io);
    if (given.values.has('version') && command.name !== 'version') return await run(['version'], io);
    // The executable starts with a policy against compiling (`.ci/build.ts`); these end it once they have started.
    if (command.name !== 'serve' && command.name !== 'check') Bun.unsafe.setJITPolicy(1);
    const invocation = await parseInvocation(command, given, { io, allCommands });
    return await runOnData(command, invocation, { ...io, isQuiet: invocation.isQuiet });
  } catch (error) {
    return await explain(error, name, io);
  }
}

/** Replaces a part of a command, such as `doctor selftest`, by its command line. */
function unmerged(argv: readonly string[]): readonly string[] {
  const [name = '', ...rest] = argv;
  const at = rest.findIndex((word) => word !== '-q' && word !== '--quiet');
  const parts = Object.hasOwn(MERGED, name) ? MERGED[name] : undefined;
  const part = rest[at] ?? '';
  return parts && Object.hasOwn(parts, part) ? [...(parts[part] ?? []), ...rest.toSpliced(at, 1)] : argv;
}

async function find(name: string): Promise<Command> {
  const load = Object.hasOwn(ALL_COMMANDS, name) ? ALL_COMMANDS[name] : undefined;
  if (load) return await load();
  if (name.startsWith('-')) throw new UsageError(`expected a command before flags: lurecheck COMMAND ${name}`);
  const parts = Object.hasOwn(MERGED, name) ? Object.keys(MERGED[name] ?? {}) : [];
  if (parts.length > 0) throw new UsageError(`expected ${parts.map((part) => `${name} ${part}`).join(' or ')}`);
  throw new UsageError(`unknown command "${name}"${suggest(name, Object.keys(COMMANDS))}`);
}

async function help(name: string | undefined, io: Io, colour?: ColourChoice): Promise<ExitCode> {
  await io.stdout.write(await helpAbout(name, io, colour));
  return 0;
}

async function helpAbout(
  name: string | undefined,
  { stdout, environment }: Io,
  colour: ColourChoice | undefined,
): Promise<string> {
  if (name === undefined || HELP.has(name)) return describeFirst();
  if (name === ALL) return describeCommands(await allCommands());
  if (name === 'settings') return describeSettings();
  if (name === 'topics') return describeParts();
  if (Object.hasOwn(ALL_COMMANDS, name)) return describeCommand(await find(name), SETTINGS, await allCommands());
  const [{ findTopic }, { partForTerminal }] = await Promise.all([
    import('#src/service/manual/find-topic.ts'),
    import('#src/service/manual/terminal.ts'),
  ]);
  const topic = findTopic(name);
  if (topic === null) {
    const setting = describeSetting(name);
    if (setting !== null) return setting;
    const known = helpTopics(Object.keys(COMMANDS));
    throw new UsageError(`unknown command or topic "${name}"${suggest(name, known)}`);
  }
  return partForTerminal(topic, { columns: stdout.columns, isColoured: wantsColour({ stdout, environment }, colour) });
}

async function explain(error: unknown, name: string, io: Io): Promise<ExitCode> {
  if (error instanceof UsageError) {
    await io.stderr.write(
      `lurecheck: ${error.message}\nSee: lurecheck help${Object.hasOwn(ALL_COMMANDS, name) ? ` ${name}` : ''}\n`,
    );
    return 2;
  }
  if (error instanceof OperationError) {
    await io.stderr.write(error.problems.map((problem) => `lurecheck: ${problem}\n`).join(''));
    return ERRORS[error.errorCode].exit;
  }
  const problem = systemProblem(error);
  if (problem !== null) {
    await io.stderr.write(`lurecheck: cannot write${pathIn(error)}: ${problem.matter}. ${problem.remedy}\n`);
    return 1;
  }
  const stack = error instanceof Error && io.environment['LURECHECK_LOG_LEVEL'] === 'debug' ? `${error.stack}\n` : '';
  await io.stderr.write(`lurecheck: ${error instanceof Error ? error.message : String(error)}\n${stack}`);
  return 1;
}

/** Names the file that an error of the system is about, if it says so. */
const pathIn = (error: unknown): string =>
  error instanceof Error && 'path' in error ? ` ${visibleInTerminal(String(error.path))}` : '';
