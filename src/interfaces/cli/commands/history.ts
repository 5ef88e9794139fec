import { perform } from '#src/admin/audit/act.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { PROVIDED } from '#src/app/parts.ts';
import type { DeletionTarget } from '#src/checks/store/deletions/deletion-target.ts';
import type { ExportMade } from '#src/checks/store/exports/export-record.ts';
import { quarantinedFilesIn } from '#src/checks/store/file/open-or-replace.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { isoTime, systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';
import { commandPlace } from '../command-place.ts';
import { confirm } from '../confirm.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import type { ExitCode } from '../exit-codes.ts';
import { awaitDeletion } from '../history/await-deletion.ts';
import { describeSelection, readCriterion } from '../history/criterion.ts';
import { DELETE_HISTORY, type DeletionBackend } from '../history/deletion-act.ts';
import { deletionAsJson, deletionsAsText, describeEarlier, describeUndone } from '../history/deletion-text.ts';
import { indentedJson, REPORT_FORMAT, wantsJson } from '../report-format.ts';

/** `lurecheck history` */
export const historyCommand: Command<'history'> = {
  name: 'history',
  operands: 'delete | deletions | exports',
  summary: 'delete checks from a log and all files, or show what was deleted or exported',
  options: {
    private: { type: 'boolean', description: 'The private log instead of the public one.' },
    id: { type: 'string', value: 'REQUEST_ID', description: 'The check with this id.' },
    domain: { type: 'string', value: 'DOMAIN', description: 'All checks of hosts in this domain.' },
    before: {
      type: 'string',
      value: 'TIME',
      description: 'All checks before this time: 2026-01-31 or 2026-01-31T12:00:00Z.',
    },
    yes: { type: 'boolean', short: 'y', description: 'Delete without confirmation.' },
    format: {
      ...REPORT_FORMAT,
      description: 'Output format of the record of deletions and exports. Default: text.',
    },
  },
  examples: [
    { line: 'lurecheck log delete --domain example.com', purpose: 'Delete the public checks of a site.' },
    {
      line: 'lurecheck log delete --private --id 019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b --yes',
      purpose: 'Delete one private check, with the hash of its client.',
    },
    { line: 'lurecheck log deletions --domain example.com', purpose: 'Show past deletions.' },
    { line: 'lurecheck log exports', purpose: 'Show when private checks were exported, by whom and how many.' },
    {
      line: 'lurecheck log delete --domain example.com --log-database file:owner.url --log-database-private file:private-owner.url',
      purpose: 'Do the same with databases, whose owner alone may delete.',
    },
  ],
  changes: ['delete'],
  async run(invocation, io) {
    const [action, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`history ${action} takes no operand: unexpected "${extra}"`);
    const request = readRequest(invocation);
    if (action === 'delete') return await remove(invocation, request, io);
    if (action === 'deletions') return await list(invocation, request, io);
    if (action === 'exports') return await listExports(invocation, request, io);
    throw new UsageError(
      `expected history delete, history deletions or history exports${action ? `, not history ${action}` : ''}`,
    );
  },
};

type HistoryInvocation = Parameters<typeof historyCommand.run>[0];
type HistoryRequest = ReturnType<typeof readRequest>;

function readRequest(invocation: Invocation) {
  return {
    visibility: invocation.flag('private') ? 'private' : 'public',
    criterion: readCriterion(invocation),
    isJson: wantsJson(invocation),
  } as const;
}

async function openBackend(
  { config }: HistoryInvocation,
  visibility: Visibility,
  logger: Logger,
): Promise<DeletionBackend> {
  if (config.log_database.length === 0) return await openFileBackend(config.data_dir, visibility, logger);
  return await (await PROVIDED.openDatabaseBackend())(config, visibility, logger);
}

async function remove(
  invocation: HistoryInvocation,
  { visibility, criterion, isJson }: HistoryRequest,
  io: Io,
): Promise<ExitCode> {
  if (criterion === null) throw new UsageError('expected what to delete: --id, --domain or --before');
  await using backend = await openBackend(invocation, visibility, diagnosticsOf(invocation, io.stderr));
  const count = await backend.count(criterion);
  if (count > 0 && !invocation.flag('yes')) {
    const isConfirmed = await confirm(`Permanently delete ${describeSelection(count, visibility, criterion)}?`, io);
    if (!isConfirmed) {
      await io.stderr.write('lurecheck: cancelled, nothing was deleted\n');
      return 1;
    }
  }
  const place = { ...commandPlace(invocation), backend };
  const selection = { visibility, criterion, count };
  const { deletion, problem, notes } = await perform(DELETE_HISTORY, place, invocation.actor, selection);
  if (deletion === null || deletion.doneAtMs === null) {
    await io.stderr.write(`lurecheck: ${describeUndone(deletion, problem)}\n`);
    return 1;
  }
  await io.stdout.write(
    isJson
      ? indentedJson(deletionAsJson(visibility, deletion))
      : `${counted(deletion.removed, 'check')} deleted from the ${visibility} log\n`,
  );
  const forgotten = visibility === 'public' ? await forgetFeedback(invocation.config, criterion) : 0;
  if (forgotten > 0 && !invocation.isQuiet) {
    await io.stderr.write(`lurecheck: also deleted ${counted(forgotten, 'feedback', 'feedbacks')} on them\n`);
  }
  for (const note of invocation.isQuiet ? [] : notes)
    await io.stderr.write(`${visibleInTerminal(`lurecheck: ${note}`)}\n`);
  if (problem !== null) {
    await io.stderr.write(`lurecheck: not confirmed: ${problem}\n`);
    return 1;
  }
  return criterion.by === 'id' && count === 0 ? await missing(criterion.wanted, io) : 0;
}

/** Deletes the feedback on the selected checks and on URLs of the same hosts. Returns how many. */
async function forgetFeedback(config: ConfigFor<'history'>, criterion: DeletionTarget): Promise<number> {
  await (await PROVIDED.shareFeedback())(config);
  await using review = await (await PROVIDED.openFeedbackReview())(config);
  return (await review?.remove(criterion)) ?? 0;
}

async function missing(id: string, io: Io): Promise<ExitCode> {
  await io.stderr.write(`lurecheck: check not found in the log: ${id}\n`);
  return 1;
}

async function list(
  invocation: HistoryInvocation,
  { visibility, criterion, isJson }: HistoryRequest,
  io: Io,
): Promise<ExitCode> {
  if (invocation.flag('yes')) throw new UsageError('--yes requires history delete');
  await using backend = await openBackend(invocation, visibility, diagnosticsOf(invocation, io.stderr));
  const hash = criterion && backend.hashOf(criterion.wanted);
  const found = (await backend.all()).filter(({ wantedHash }) => hash === null || wantedHash.equals(hash));
  await io.stdout.write(
    isJson ? indentedJson(found.map((one) => deletionAsJson(visibility, one))) : deletionsAsText(found),
  );
  return 0;
}

async function listExports(
  invocation: HistoryInvocation,
  { criterion, isJson }: HistoryRequest,
  io: Io,
): Promise<ExitCode> {
  if (criterion !== null || invocation.flag('yes')) throw new UsageError('history exports takes no filter');
  const logger = diagnosticsOf(invocation, io.stderr);
  const dataDir = invocation.config.data_dir;
  await using log = await openLocalLog({ dataDir, access: 'read', clock: systemClock, logger });
  const found = log.exports.all();
  await io.stdout.write(isJson ? indentedJson(found.map(exportAsJson)) : exportsAsText(found));
  return 0;
}

/** The exports of private checks as the record of them has them, a line each. */
function exportsAsText(exports: readonly ExportMade[]): string {
  const lines = exports.map(({ begunAtMs, user, format, checks }) => {
    const outcome = checks === null ? 'incomplete' : counted(checks, 'check');
    return `${isoTime(begunAtMs)}  ${format}  ${outcome}  by ${visibleInTerminal(user)}\n`;
  });
  return lines.join('') || 'no exports of private checks\n';
}

/** Formats an export as JSON, with only the hash of its selection. */
function exportAsJson(made: ExportMade): Readonly<Record<string, unknown>> {
  const { begunAtMs, user, format, selectionHash, checks, doneAtMs } = made;
  return {
    user,
    format,
    hash: selectionHash.toString('hex'),
    checks,
    begun_at: isoTime(begunAtMs),
    done_at: doneAtMs === null ? null : isoTime(doneAtMs),
  };
}

/** Opens the deletions of a log in a file. Throws StoreError if there is no log. */
async function openFileBackend(dataDir: string, visibility: Visibility, logger: Logger): Promise<DeletionBackend> {
  const log = await openLocalLog({ dataDir, access: 'read', clock: systemClock, logger });
  const { deletions } = log;
  return {
    count: (criterion) => Promise.resolve(deletions.count(visibility, criterion)),
    async remove(criterion) {
      const earlier = deletions.all(visibility).filter(({ doneAtMs }) => doneAtMs === null);
      const id = deletions.ask(visibility, criterion);
      const awaited = await awaitDeletion({ log, dataDir, visibility, id, logger });
      const before = earlier.flatMap((one) => deletions.find(visibility, one.id) ?? []).map(describeEarlier);
      const aside = quarantinedFilesIn(dataDir).map(
        (path) => `${path} is a copy that may still contain them; remove it when it is no longer needed`,
      );
      return { ...awaited, notes: [...before, ...aside] };
    },
    all: () => Promise.resolve(deletions.all(visibility)),
    hashOf: deletions.hashOf,
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}
