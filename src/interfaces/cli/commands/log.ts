import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import { PROVIDED } from '#src/app/parts.ts';
import { CHECK_KINDS } from '#src/checks/record/message-record.ts';
import { shownResult } from '#src/checks/record/stored-result.ts';
import type { LogEntry, ScanLog } from '#src/checks/store/scan-log.ts';
import type { Io } from '#src/core/base/io.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { batchOutput } from '../batched-output.ts';
import { createFormatter, createSequence, FORMATS, type FormatStyle } from '../check/check-format.ts';
import { wantsColour } from '../colour.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import type { ExitCode } from '../exit-codes.ts';
import { type LogRequest, readLogRequest, SELECTION_OPTIONS } from '../log/log-request.ts';
import { wantsMessages } from '../log/message-request.ts';
import { countRead, hasDetails, newestOf, reportUnread } from '../log/read-checks.ts';
import { recoverLogFile } from '../log/recover-log-file.ts';

/** The export of the log in formats for other programs. */
interface LogExport {
  readonly formats: readonly string[];
  run(invocation: Invocation<ConfigFor<'log'>>, io: Io, logger: Logger): Promise<ExitCode>;
}

/** `lurecheck log` */
export const logCommand = (exported: LogExport): Command<'log'> => ({
  name: 'log',
  operands: '[export | copy --to-database | recover FILE]',
  summary: 'read, follow and export the log of checks',
  options: {
    private: { type: 'boolean', description: 'Read the private log. The export is recorded.' },
    kind: {
      type: 'string',
      words: CHECK_KINDS,
      description: 'Checks of URLs, or of messages: their verdict in codes and numbers. Default: url.',
    },
    id: { type: 'string', value: 'REQUEST_ID', description: 'The check with this id.' },
    ...SELECTION_OPTIONS,
    follow: {
      type: 'boolean',
      description: 'Print each new check, oldest first; --limit sets how many earlier ones come first.',
    },
    'to-database': {
      type: 'boolean',
      description: 'Copy both logs from their files into their databases.',
    },
    format: {
      type: 'string',
      words: [...new Set([...FORMATS, ...exported.formats])],
      description: `Output format. Default: text. export requires one of: ${exported.formats.join(', ')}; stix and misp contain warned and blocked checks only.`,
    },
    out: {
      type: 'string',
      value: 'FILE',
      description: 'Output file of export, written whole or not at all. Default: stdout.',
    },
    pictures: {
      type: 'string',
      value: 'FILE',
      description: 'Also write the pictures of the exported checks, as a tar archive of REQUEST_ID.webp.',
    },
  },
  examples: [
    {
      line: 'lurecheck log --domain example.com --from 2026-01-01',
      purpose: 'Show the checks of a domain this year.',
    },
    { line: 'lurecheck log --decision block --follow', purpose: 'Follow blocked checks.' },
    {
      line: 'lurecheck log --private --id 019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b --format json',
      purpose: 'Print one private check completely.',
    },
    {
      line: 'lurecheck log export --format csv --from 2026-01-01 --out checks.csv',
      purpose: 'Export the checks of this year for a spreadsheet.',
    },
    {
      line: 'lurecheck log recover public.sqlite.damaged-20260131T120000Z',
      purpose: 'Copy the readable checks of a damaged file into the log.',
    },
  ],
  named: ({ positionals: [action, file], text }) =>
    action === 'recover' ? { reads: [file] } : { writes: [text('out'), text('pictures')] },
  async run(invocation, io) {
    const logger = diagnosticsOf(invocation, io.stderr);
    const action = actionOf(invocation);
    if (action === 'copy') return await (await PROVIDED.copyToDatabase())(invocation.config, io, logger);
    if (action === 'recover') return await recoverLogFile(invocation, io, logger);
    if (action === 'export') return await exported.run(invocation, io, logger);
    if (wantsMessages(invocation))
      return await (await import('../log/show-messages.ts')).showMessages(invocation, io, logger);
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
    if (read.unread() > 0) return await reportUnread(read.unread(), io);
    if (id === null || read.count() > 0) return 0;
    await io.stderr.write(`lurecheck: check not found in the log: ${id}\n`);
    return 1;
  },
});

/** Returns the action; null to show checks. Throws a UsageError for an incomplete action. */
function actionOf(invocation: Invocation): 'copy' | 'export' | 'recover' | null {
  const [action, ...rest] = invocation.positionals;
  const isToDatabase = invocation.flag('to-database');
  if (action === undefined && !isToDatabase) return null;
  if (rest.length === 1 && action === 'recover' && !isToDatabase) return 'recover';
  if (action === 'recover') throw new UsageError('log recover takes the name of one damaged file');
  if (rest.length === 0 && action === 'copy' && isToDatabase) return 'copy';
  if (rest.length === 0 && action === 'export' && !isToDatabase) return 'export';
  throw new UsageError(
    action === undefined || action === 'copy'
      ? 'expected log copy --to-database'
      : action === 'export'
        ? 'log export takes flags only, such as --format csv'
        : `log takes no operand: unexpected "${action}"; log export, log copy --to-database and log recover FILE are the other forms`,
  );
}

/** Interval at which the log is polled, in milliseconds. */
const FOLLOW_INTERVAL_MS = 250;

/** Writes the latest checks, oldest first, then each new one, until a signal ends the process. */
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

/** Writes entries of a log one after the other. */
interface LogPrinter {
  write(entry: LogEntry): Promise<void>;
  flush(): Promise<void>;
  /** Writes what closes the whole. */
  end(): Promise<void>;
}

/** A printer to stdout. */
function openLogPrinter(style: FormatStyle, io: Io): LogPrinter {
  const formatter = createFormatter(style);
  const sequence = createSequence(formatter);
  const output = batchOutput(io.stdout);
  return {
    async write(entry) {
      const { result, isDelivered } = entry;
      const note = isDelivered ? '' : '  not delivered';
      const heading = style.format === 'text' ? `${result.timestamp}  ${result.request_id}${note}\n` : '';
      await output.write(sequence.next(heading + formatter.write({ result: shownResult(entry) })));
    },
    flush: output.flush,
    async end() {
      await output.write(sequence.end());
      await output.flush();
    },
  };
}
