import { openLog } from '#src/program/open-log.ts';
import { DECISIONS } from '#src/record/check-result.ts';
import { isUnread } from '#src/record/kept-result.ts';
import type { ScanLog } from '#src/store/scan-log.ts';
import { FORMATS } from '../check/check-format.ts';
import { wantsColour } from '../colour.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import { copyToDatabase } from '../log/copy-to-database.ts';
import { type LogPrinter, openLogPrinter } from '../log/log-printer.ts';
import { type LogRequest, readLogRequest } from '../log/log-request.ts';
import { newestOf } from '../log/newest-of.ts';

/** `lurecheck log` */
export const logCommand: Command<'log'> = {
  name: 'log',
  operands: '[copy --to-database]',
  summary: 'reads the log of public checks, or of private ones, newest first',
  options: {
    private: { type: 'boolean', description: 'Read the private log.' },
    id: { type: 'string', value: 'REQUEST_ID', description: 'The one check with this id.' },
    domain: { type: 'string', value: 'DOMAIN', description: 'Checks of hosts that end in this domain.' },
    from: {
      type: 'string',
      value: 'TIME',
      description: 'Checks from this time on: 2026-01-31 or 2026-01-31T12:00:00Z.',
    },
    until: { type: 'string', value: 'TIME', description: 'Checks before this time.' },
    decision: { type: 'string', words: DECISIONS, description: 'Checks that came out so.' },
    limit: { type: 'string', value: 'N', description: 'The newest N alone. A whole number from 1.' },
    follow: {
      type: 'boolean',
      description: 'Go on with each check that is logged, oldest first; --limit says how many of before come first.',
    },
    'to-database': {
      type: 'boolean',
      description: 'What copy does: both logs go from their files into their databases.',
    },
    format: { type: 'string', words: FORMATS, description: 'How to write them. Default: text.' },
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
  ],
  async run(invocation, io) {
    const logger = diagnosticsOf(invocation, io.stderr);
    if (wantsCopy(invocation)) return await copyToDatabase(invocation.config, io, logger);
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
    let count = 0;
    let unread = 0;
    for await (const entry of newestOf(log, request)) {
      await writer.write(entry);
      count++;
      if (isUnread(entry.result)) unread++;
    }
    await writer.end();
    if (unread > 0) {
      const records = unread === 1 ? '1 record' : `${unread} records`;
      await io.stderr.write(`lurecheck: ${records} cannot be read; what else is known of those checks is shown\n`);
      return 1;
    }
    if (id === null || count > 0) return 0;
    await io.stderr.write(`lurecheck: the log has no check with the id ${id}\n`);
    return 1;
  },
};

/** Whether `log copy --to-database` was written; a half of that is a mistake. */
function wantsCopy(invocation: Invocation): boolean {
  const [action, ...rest] = invocation.positionals;
  const isWhole = action === 'copy' && rest.length === 0 && invocation.flag('to-database');
  if (!isWhole && (action !== undefined || invocation.flag('to-database'))) {
    throw new UsageError(
      action === 'copy' || action === undefined
        ? 'write log copy --to-database'
        : `log takes no operand, and "${action}" is one; log copy --to-database is the only other form`,
    );
  }
  return isWhole;
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
    for (const entry of entries) await writer.write(entry);
    await writer.flush();
    if (entries.length === 0) await Bun.sleep(FOLLOW_INTERVAL_MS);
  }
}
