import { existsSync } from 'node:fs';
import { endlessFileProblem } from '#src/core/base/files/special-file.ts';
import type { Config } from '#src/app/config.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import type { ExitCode } from './exit-codes.ts';
import { settingsUsedBy } from './flags.ts';
import { isInstallationHidden } from '#src/admin/installation/installation.ts';
import type { Io } from '#src/core/base/io.ts';
import { AS_NAMED } from './owner/named-files.ts';

/**
 * Runs a command on its data directory: as its owner, if root runs it, and never on one that is created by mistake.
 *
 * @throws UsageError if a change would create a data directory that nobody named
 */
export async function runOnData(command: Command, invocation: Invocation<Config>, io: Io): Promise<ExitCode> {
  if (!settingsUsedBy(command.name).has('data_dir')) return await command.run(invocation, io);
  refuseVacuum(command, invocation);
  const files = await takeOwnersPlace(command, invocation);
  const code = await command.run({ ...invocation, place: files.place }, io);
  await files.finish();
  return code;
}

/** Operands of a change, the action included, where there may be more than two. */
const MOST_OPERANDS: Readonly<Record<string, number>> = { lists: 3, feedback: Number.POSITIVE_INFINITY };

function refuseVacuum({ name, changes = [] }: Command, { positionals, config, settings }: Invocation<Config>): void {
  const [action = ''] = positionals;
  const isNamed = settings.origins.data_dir.source !== 'default';
  // With too few operands, or too many, the command says what to write.
  const isWrong = positionals.length < 2 || positionals.length > (MOST_OPERANDS[name] ?? 2);
  if (!changes.includes(action) || isWrong || isNamed || existsSync(config.data_dir)) return;
  const where = isInstallationHidden()
    ? 'the service that is installed here belongs to another user: use sudo, or --data-dir'
    : 'no service is installed here; name one with --data-dir';
  throw new UsageError(`${name} ${action} needs a data directory, and there is no ${config.data_dir}: ${where}`);
}

/** Throws a UsageError for a device, a named pipe or a socket: before root opens it, and before its end is waited for. */
function refuseEndless(path: string | undefined): void {
  const problem = path === undefined ? null : endlessFileProblem(path);
  if (problem !== null) throw new UsageError(`${path} ${problem}`);
}

async function takeOwnersPlace(command: Command, invocation: Invocation<Config>) {
  const named = command.named === undefined ? {} : command.named(invocation);
  if (named?.isReadWhole === true) for (const path of named.reads ?? []) refuseEndless(path);
  // Nobody but root waits for what that takes.
  if (named === null || process.geteuid?.() !== 0) return AS_NAMED;
  const { becomeOwner, ownerToBecome } = await import('./owner/become-owner.ts');
  const dataDir = invocation.config.data_dir;
  const owner = ownerToBecome(dataDir);
  return owner === null ? AS_NAMED : await becomeOwner(owner, dataDir, named);
}
