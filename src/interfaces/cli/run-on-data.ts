import { existsSync } from 'node:fs';
import type { Config } from '#src/app/config.ts';
import { changeInFleet } from '#src/app/parts/fleet-data.ts';
import { PROVIDED } from '#src/app/parts.ts';
import { isFleet } from '#src/checks/store/settings.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { isInstallationUnreadable } from '#src/core/base/files/installation.ts';
import { endlessFileProblem } from '#src/core/base/files/named-file.ts';
import type { Io } from '#src/core/base/io.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import type { ExitCode } from './exit-codes.ts';
import { settingsUsedBy } from './flags.ts';
import { ORIGINAL_PATHS } from './owner/named-files.ts';

/**
 * Runs a command on its data directory: as the directory's owner if root runs it, and never on one created by mistake.
 *
 * @throws UsageError if a change would create a data directory that is not named explicitly
 */
export async function runOnData(command: Command, invocation: Invocation<Config>, io: Io): Promise<ExitCode> {
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
