import { EXPORT_FORMATS } from '#src/service/export/export-format.ts';
import { openLog } from '#src/app/open-log.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { FORMATS } from '../check/check-format.ts';
import { wantsColour } from '../colour.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import { copyToDatabase } from '../log/copy-to-database.ts';
import { countRead, tellUnread } from '../log/count-read.ts';
import { exportLog } from '../log/export-log.ts';
import { type LogPrinter, openLogPrinter } from '../log/log-printer.ts';
import { type LogRequest, readLogRequest, SELECTION_OPTIONS } from '../log/log-request.ts';
import { hasDetails, newestOf } from '../log/newest-of.ts';

/** `lurecheck log` */
export const logCommand: Command<'log'> = {
  name: 'log',
  operands: '[export | copy --to-database]',
  summary: 'reads the log of public checks, or of private ones, newest first',
  options: {
    private: { type: 'boolean', description: 'Read the private log. That it is exported goes on record.' },
    id: { type: 'string', value: 'REQUEST_ID', description: 'The one check with this id.' },
    ...SELECTION_OPTIONS,
    follow: {
      type: 'boolean',
      description: 'Go on with each check that is logged, oldest first; --limit says how many of before come first.',
    },
    'to-database': {
      type: 'boolean',
      description: 'What copy does: both logs go from their files into their databases.',
    },
    format: {
      type: 'string',
      words: [...new Set([...FORMATS, ...EXPORT_FORMATS])],
      description: `How to write them. Default: text. What export takes, and must be told: ${EXPORT_FORMATS.join(', ')}; of these, stix and misp hold what was warned of or blocked, and nothing that was allowed.`,
    },
    out: {
      type: 'string',
      value: 'FILE',
      description: 'Where export writes: whole, or not at all. Default: stdout.',
    },
  },
  examples: [
    {
      line: 'lurecheck log --domain example.com --from 2026-01-01',
      purpose: 'What was checked of a domain this year.',
    },
    { line: 'lurecheck log --decision block --follow', purpose: 'Watch what is blocked.' },
    {
      line: 'lurecheck log --private --id 019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b --format json',
      purpose: 'One private check, whole.',
    },
    {
      line: 'lurecheck log export --format csv --from 2026-01-01 --out checks.csv',
      purpose: 'The checks of this year as a table for a spreadsheet.',
    },
  ],
  named: ({ text }) => ({ writes: [text('out')] }),
  async run(invocation, io) {
    const logger = diagnosticsOf(invocation, io.stderr);
    const action = actionOf(invocation);
    if (action === 'copy') return await copyToDatabase(invocation.config, io, logger);
    if (action === 'export') return await exportLog(invocation, io, logger);
    const request = readLogRequest(invocation);
    const { id } = request;
    await using opened = await openLog(invocation.config, 'read', logger);
    const { log, local } = opened;
    for (const notice of invocation.isQuiet ? [] : (local?.notices() ?? []))
      await io.stderr.write(`lurecheck: ${notice}\n`);
    const writer = openLogPrinter(
      { format: request.format, isList: id === null, colour: wantsColour(io, invocation.color) },
      io,
    );
    if (request.follow) return await follow(log, request, writer);
    const read = countRead(newestOf(log, request));
    for await (const entry of read.entries) await writer.write(entry);
    await writer.end();
    if (read.unread() > 0) return await tellUnread(read.unread(), io);
    if (id === null || read.count() > 0) return 0;
    await io.stderr.write(`lurecheck: the log has no check with the id ${id}\n`);
    return 1;
  },
};

/** What is to be done besides showing checks; a half of what that takes is a mistake. */
function actionOf(invocation: Invocation): 'copy' | 'export' | null {
  const [action, ...rest] = invocation.positionals;
  const isToDatabase = invocation.flag('to-database');
  if (action === undefined && !isToDatabase) return null;
  if (rest.length === 0 && action === 'copy' && isToDatabase) return 'copy';
  if (rest.length === 0 && action === 'export' && !isToDatabase) return 'export';
  throw new UsageError(
    action === undefined || action === 'copy'
      ? 'write log copy --to-database'
      : action === 'export'
        ? 'log export takes flags alone: --format csv, for one'
        : `log takes no operand, and "${action}" is one; log export and log copy --to-database are the other forms`,
  );
}

/** How often the log is asked for more, in milliseconds: a person who waits does not notice. */
const FOLLOW_INTERVAL_MS = 250;

/** Writes the newest checks, oldest first, and each that is logged from now on, until a signal ends the process. */
async function follow(log: ScanLog, request: LogRequest, writer: LogPrinter): Promise<never> {
  const tail = await log.tail(request.visibility, request.filter);
  const before = await Array.fromAsync(newestOf(log, { ...request, limit: request.limit ?? 0 }));
  for (const entry of before.toReversed()) await writer.write(entry);
  await writer.flush();
  for (;;) {
    const entries = await tail.next();
    for (const entry of entries) if (hasDetails(entry, request.details)) await writer.write(entry);
    await writer.flush();
    if (entries.length === 0) await Bun.sleep(FOLLOW_INTERVAL_MS);
  }
}
