import { hostname } from 'node:os';
import type { Logger } from '#src/core/base/logger.ts';
import { EXPORT_FORMATS, exportWriter } from '#src/service/export/export-format.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import { choice, type Invocation, UsageError } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '#src/core/base/io.ts';
import { countRead, tellUnread } from './count-read.ts';
import { fileSink, outputSink } from './export-sink.ts';
import { readSelection } from './log-request.ts';
import { newestOf } from './newest-of.ts';
import { noteExport, notOnRecord } from './record-export.ts';

/** Writes the checks that are asked for in a format for other programs, to stdout or into a file. */
export async function exportLog(invocation: Invocation<ConfigFor<'log'>>, io: Io, logger: Logger): Promise<ExitCode> {
  const { selection, format, out } = readExportRequest(invocation, io);
  // Before a database is asked for anything.
  if (selection.visibility === 'private' && invocation.config.log_database.length > 0) throw notOnRecord();
  const write = await exportWriter(format);
  await using opened = await openLog(invocation.config, 'read', logger);
  const subject = {
    visibility: selection.visibility,
    source: invocation.config.node_name ?? hostname(),
    selection: JSON.stringify(selection),
  };
  await using sink =
    out === null ? outputSink(io.stdout) : await fileSink(invocation.place(out), selection.visibility === 'private');
  // Nothing goes out that is not on record.
  const noted =
    selection.visibility === 'private'
      ? noteExport(opened, { format, selection: subject.selection }, invocation)
      : null;
  const read = countRead(newestOf(opened.log, selection));
  for await (const piece of write(read.entries, subject)) await sink.write(piece);
  await sink.finish();
  noted?.finish(read.count());
  return await tellUnread(read.unread(), io);
}

function readExportRequest(invocation: Invocation, { stdout }: Io) {
  const selection = readSelection(invocation);
  const format = choice(invocation, 'format', EXPORT_FORMATS);
  if (format === undefined) throw new UsageError(`write in which format: --format ${EXPORT_FORMATS.join(', ')}`);
  if (invocation.flag('follow')) throw new UsageError('--follow has no end, and an export has');
  const out = invocation.text('out') ?? null;
  if (format === 'parquet' && out === null && stdout.isTerminal)
    throw new UsageError('parquet is nothing for a terminal: write --out FILE');
  return { selection, format, out };
}
