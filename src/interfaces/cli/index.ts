import { existsSync } from 'node:fs';
import { type Config, SETTINGS } from '#src/app/config.ts';
import { changeInFleet } from '#src/app/parts/fleet-data.ts';
import { PROVIDED } from '#src/app/parts.ts';
import { systemProblem } from '#src/checks/store/file/fault.ts';
import { isFleet } from '#src/checks/store/settings.ts';
import { ERRORS } from '#src/core/base/errors/error-table.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { isInstallationUnreadable } from '#src/core/base/files/installation.ts';
import { endlessFileProblem } from '#src/core/base/files/named-file.ts';
import type { Io } from '#src/core/base/io.ts';
import { suggest } from '#src/core/base/text/edit-distance.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { commandFirst, readArguments } from './arguments.ts';
import { type ColourChoice, wantsColour } from './colour.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import type { ExitCode } from './exit-codes.ts';
import { settingsUsedBy } from './flags.ts';
import { colourIn, parseInvocation } from './invocation.ts';
import { MERGED } from './merged-commands.ts';
import { ORIGINAL_PATHS } from './owner/named-files.ts';
import { ALL_COMMANDS, allCommands, COMMANDS } from './registry.ts';

/**
 * Runs a command on its data directory: as the directory's owner if root runs it, and never on one created by mistake.
 *
 * @throws UsageError if a change would create a data directory that is not named explicitly
 */
async function runOnData(command: Command, invocation: Invocation<Config>, io: Io): Promise<ExitCode> {
  if (!settingsUsedBy(command.name).has('data_dir')) return await command.run(invocation, io);
  requireDataDirectory(command, invocation);
  const files = await switchToOwner(command, invocation);
  try {
    const isOfFleet = isFleet(invocation.config);
    const code = await runInFleet(command, { ...invocation, resolvePath: files.resolvePath }, { ...io, isOfFleet });
    await files.finish();
    return code;
  } finally {
    files.discard();
  }
}

/** Runs a command on what the nodes share as it is now, and publishes what it changes. */
async function runInFleet(command: Command, invocation: Invocation<Config>, io: Io): Promise<ExitCode> {
  const { config, positionals } = invocation;
  const { shares = [], changes = [], named } = command;
  const isApart = shares.length === 0 || !isFleet(config) || named?.(invocation) === null;
  if (isApart) return await command.run(invocation, io);
  const isChange = changes.includes(positionals[0] ?? '');
  if (isChange) return await changeInFleet(config, shares, () => command.run(invocation, io));
  try {
    await (await PROVIDED.syncWithFleet())(config, shares);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    await io.stderr.write(`lurecheck: ${error.message}; showing what this node read last\n`);
  }
  return await command.run(invocation, io);
}

/** Operands of a change, including the action, if there may be more than two. */
const MOST_OPERANDS: Readonly<Record<string, number>> = { lists: 3, feedback: Number.POSITIVE_INFINITY };

/** Commands that work, or create a data directory, without the installed service. */
const INDEPENDENT: ReadonlySet<string> = new Set(['serve', 'check', 'selftest', 'config', 'about', 'evaluate']);

function requireDataDirectory(command: Command, invocation: Invocation<Config>): void {
  const { name, changes = [] } = command;
  const { positionals, config, settings } = invocation;
  const [action = ''] = positionals;
  const isNamed = settings.origins.data_dir.source !== 'default';
  const isApart = INDEPENDENT.has(name) || command.named?.(invocation) === null;
  if (!isNamed && !isApart && !existsSync(config.data_dir) && isInstallationUnreadable()) {
    throw new UsageError(
      `${name}: the installed service belongs to another user: use sudo, or name a data directory with --data-dir`,
    );
  }
  // With too few operands, or too many, the command says what to write.
  const isWrong = positionals.length < 2 || positionals.length > (MOST_OPERANDS[name] ?? 2);
  if (!changes.includes(action) || isWrong || isNamed || existsSync(config.data_dir)) return;
  const where = 'no service is installed on this host; use --data-dir';
  throw new UsageError(`${name} ${action}: data directory not found: ${config.data_dir}: ${where}`);
}

/** Throws a UsageError for a device, a named pipe or a socket: before root opens it, and before its end is waited for. */
function refuseEndless(path: string | undefined): void {
  const problem = path === undefined ? null : endlessFileProblem(path);
  if (problem !== null) throw new UsageError(`${path} ${problem}`);
}

async function switchToOwner(command: Command, invocation: Invocation<Config>) {
  const named = command.named === undefined ? {} : command.named(invocation);
  if (named?.isReadWhole === true) for (const path of named.reads ?? []) refuseEndless(path);
  // Only root needs these steps, which take time.
  if (named === null || process.geteuid?.() !== 0) return ORIGINAL_PATHS;
  await command.asRoot?.(invocation);
  const { becomeOwner, ownerToBecome } = await import('./owner/become-owner.ts');
  const dataDir = invocation.config.data_dir;
  const owner = ownerToBecome(dataDir);
  return owner === null ? ORIGINAL_PATHS : await becomeOwner(owner, dataDir, named);
}

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
      const { HELP_COMMAND } = await import('./help-topics.ts');
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
  const texts = await import('./help.ts');
  if (name === undefined || HELP.has(name)) return texts.describeFirst();
  if (name === ALL) return texts.describeCommands(await allCommands());
  if (name === 'settings') return texts.describeSettings();
  if (name === 'topics') return texts.describeParts();
  if (Object.hasOwn(ALL_COMMANDS, name)) return texts.describeCommand(await find(name), SETTINGS, await allCommands());
  const [{ findTopic }, { partForTerminal }, { helpTopics }] = await Promise.all([
    import('#src/service/manual/find-topic.ts'),
    import('#src/service/manual/terminal.ts'),
    import('./help-topics.ts'),
  ]);
  const topic = findTopic(name);
  if (topic === null) {
    const setting = texts.describeSetting(name);
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
