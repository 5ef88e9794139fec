import { systemClock } from '#src/core/base/clock.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import type { Deletable } from '#src/checks/store/deletions/deletion-target.ts';
import { hasFeedback, openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { type Command, choice, type Invocation, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import type { ExitCode } from '../exit-codes.ts';
import { openDatabaseDesk } from '../history/database-backend.ts';
import type { DeletionDesk } from '../history/deletion-backend.ts';
import { DELETION_FORMATS, deletionAsJson, deletionsAsText, describeUndone } from '../history/deletion-text.ts';
import { exportAsJson, exportsAsText } from '../history/export-text.ts';
import { openFileDesk } from '../history/file-backend.ts';
import { describeMeant, readMeant } from '../history/criterion.ts';
import type { Io } from '#src/core/base/io.ts';

/** `lurecheck history` */
export const historyCommand: Command<'history'> = {
  name: 'history',
  operands: 'delete | deletions | exports',
  summary: 'deletes checks from a log, without a trace in any file, or shows what was deleted or exported',
  options: {
    private: { type: 'boolean', description: 'The private log, in place of the public one.' },
    id: { type: 'string', value: 'REQUEST_ID', description: 'The one check with this id.' },
    domain: { type: 'string', value: 'DOMAIN', description: 'All checks of hosts that end in this domain.' },
    before: {
      type: 'string',
      value: 'TIME',
      description: 'All checks that began before this time: 2026-01-31 or 2026-01-31T12:00:00Z.',
    },
    yes: { type: 'boolean', short: 'y', description: 'Delete without asking.' },
    format: {
      type: 'string',
      words: DELETION_FORMATS,
      description: 'How to write what was deleted or exported. Default: text.',
    },
  },
  examples: [
    { line: 'lurecheck history delete --domain example.com', purpose: 'Forget a site that was checked publicly.' },
    {
      line: 'lurecheck history delete --private --id 019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b --yes',
      purpose: 'Forget one private check, with all that is known of who asked.',
    },
    { line: 'lurecheck history deletions --domain example.com', purpose: 'Whether and when that was asked for.' },
    { line: 'lurecheck history exports', purpose: 'When private checks were exported, by whom and how many.' },
    {
      line: 'lurecheck history delete --domain example.com --log-database file:owner.url --log-database-private file:private-owner.url',
      purpose: 'The same where the logs are in databases, of which only the owner may delete.',
    },
  ],
  changes: ['delete'],
  async run(invocation, io) {
    const [action, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`history ${action} takes no operand, and "${extra}" is one`);
    const request = readRequest(invocation);
    if (action === 'delete') return await remove(invocation, request, io);
    if (action === 'deletions') return await list(invocation, request, io);
    if (action === 'exports') return await listExports(invocation, request, io);
    throw new UsageError(
      `write history delete, history deletions or history exports${action ? `, not history ${action}` : ''}`,
    );
  },
};

type HistoryInvocation = Parameters<typeof historyCommand.run>[0];
type HistoryRequest = ReturnType<typeof readRequest>;

function readRequest(invocation: Invocation) {
  return {
    visibility: invocation.flag('private') ? 'private' : 'public',
    meant: readMeant(invocation),
    format: choice(invocation, 'format', DELETION_FORMATS) ?? 'text',
  } as const;
}

async function openDesk({ config }: HistoryInvocation, visibility: Visibility, logger: Logger): Promise<DeletionDesk> {
  if (config.log_database.length === 0) return await openFileDesk(config.data_dir, visibility, logger);
  return await openDatabaseDesk(config, visibility, logger);
}

async function remove(
  invocation: HistoryInvocation,
  { visibility, meant, format }: HistoryRequest,
  io: Io,
): Promise<ExitCode> {
  if (meant === null) throw new UsageError('write what to delete: --id, --domain or --before');
  await using desk = await openDesk(invocation, visibility, diagnosticsOf(invocation, io.stderr));
  const count = await desk.count(meant);
  if (count > 0 && !invocation.flag('yes')) {
    const isMeant = await confirm(`This deletes ${describeMeant(count, visibility, meant)}, for good. Go on?`, io);
    if (!isMeant) {
      await io.stderr.write('lurecheck: nothing was deleted\n');
      return 1;
    }
  }
  const detail = { log: visibility, by: meant.by, checks: count };
  const { deletion, problem, notes } = await audited(
    invocation.config.data_dir,
    invocation.actor,
    { action: 'history.delete', subject: null, detail },
    () => desk.remove(meant),
  );
  if (deletion === null || deletion.doneAtMs === null) {
    await io.stderr.write(`lurecheck: ${describeUndone(deletion, problem)}\n`);
    return 1;
  }
  await io.stdout.write(
    format === 'json'
      ? asJson(deletionAsJson(visibility, deletion))
      : `${counted(deletion.removed, 'check')} deleted from the ${visibility} log\n`,
  );
  const forgotten = visibility === 'public' ? forgetFeedback(invocation.config.data_dir, meant) : 0;
  if (forgotten > 0 && !invocation.isQuiet) {
    await io.stderr.write(`lurecheck: what was said of them went as well: feedback ${forgotten} times\n`);
  }
  for (const note of invocation.isQuiet ? [] : notes)
    await io.stderr.write(`${visibleInTerminal(`lurecheck: ${note}`)}\n`);
  return meant.by === 'id' && count === 0 ? await missing(meant.wanted, io) : 0;
}

/** Deletes what people said of checks that are meant, and of URLs of such hosts; how many of it. */
function forgetFeedback(dataDir: string, meant: Deletable): number {
  if (!hasFeedback(dataDir)) return 0;
  using queue = openFeedback({ dataDir, now: systemClock.now });
  return queue.remove(meant);
}

async function missing(id: string, io: Io): Promise<ExitCode> {
  await io.stderr.write(`lurecheck: the log has no check with the id ${id}\n`);
  return 1;
}

async function list(
  invocation: HistoryInvocation,
  { visibility, meant, format }: HistoryRequest,
  io: Io,
): Promise<ExitCode> {
  if (invocation.flag('yes')) throw new UsageError('--yes is for history delete');
  await using desk = await openDesk(invocation, visibility, diagnosticsOf(invocation, io.stderr));
  const hash = meant && desk.hashOf(meant.wanted);
  const found = (await desk.all()).filter(({ wantedHash }) => hash === null || wantedHash.equals(hash));
  await io.stdout.write(
    format === 'json' ? asJson(found.map((one) => deletionAsJson(visibility, one))) : deletionsAsText(found),
  );
  return 0;
}

async function listExports(
  invocation: HistoryInvocation,
  { meant, format }: HistoryRequest,
  io: Io,
): Promise<ExitCode> {
  if (meant !== null || invocation.flag('yes')) throw new UsageError('history exports shows all of them');
  const logger = diagnosticsOf(invocation, io.stderr);
  const dataDir = invocation.config.data_dir;
  await using log = await openLocalLog({ dataDir, access: 'read', clock: systemClock, logger });
  const found = log.exports.all();
  await io.stdout.write(format === 'json' ? asJson(found.map(exportAsJson)) : exportsAsText(found));
  return 0;
}

function asJson(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}
