import { hostname } from 'node:os';
import type { Logger } from '#src/base/logger.ts';
import { EXPORT_FORMATS, exportWriter } from '#src/export/export-format.ts';
import type { ConfigFor } from '#src/program/config.ts';
import { openLog } from '#src/program/open-log.ts';
import { choice, type Invocation, UsageError } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { fileSink, outputSink } from './export-sink.ts';
import { readSelection } from './log-request.ts';
import { newestOf } from './newest-of.ts';
import { countUnread, tellUnread } from './unread.ts';

/** Writes the checks that are asked for in a format for other programs, to stdout or into a file. */
export async function exportLog(invocation: Invocation<ConfigFor<'log'>>, io: Io, logger: Logger): Promise<ExitCode> {
  const { selection, format, out } = readExportRequest(invocation);
  const write = await exportWriter(format);
  await using opened = await openLog(invocation.config, 'read', logger);
  await using sink = out === null ? outputSink(io.stdout) : await fileSink(out, false);
  const unread = countUnread(newestOf(opened.log, selection));
  const subject = {
    visibility: selection.visibility,
    source: invocation.config.node_name ?? hostname(),
    selection: JSON.stringify(selection),
  };
  for await (const piece of write(unread.entries, subject)) await sink.write(piece);
  await sink.finish();
  return await tellUnread(unread.count(), io);
}

function readExportRequest(invocation: Invocation) {
  const selection = readSelection(invocation);
  const format = choice(invocation, 'format', EXPORT_FORMATS);
  if (format === undefined) throw new UsageError(`write in which format: --format ${EXPORT_FORMATS.join(', ')}`);
  if (selection.visibility === 'private') throw new UsageError('private checks are not exported');
  if (invocation.flag('follow')) throw new UsageError('--follow has no end, and an export has');
  return { selection, format, out: invocation.text('out') ?? null };
}
