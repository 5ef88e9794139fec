import { getPriority, hostname, setPriority } from 'node:os';
import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import type { Io } from '#src/core/base/io.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { choice, type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { countRead, reportUnread } from '#src/interfaces/cli/log/count-read.ts';
import { readSelection } from '#src/interfaces/cli/log/log-request.ts';
import { newestOf } from '#src/interfaces/cli/log/newest-of.ts';
import { EXPORT_FORMATS, exportWriter } from '../export-format.ts';
import { exportPictures } from './export-pictures.ts';
import { fileSink, outputSink } from './export-sink.ts';
import { databaseExportRefused, recordExport } from './record-export.ts';

/** As `nice` has it. */
const EXPORT_PRIORITY = 10;

/** Writes the checks that are asked for in a format for other programs, to stdout or into a file. */
export async function exportLog(invocation: Invocation<ConfigFor<'log'>>, io: Io, logger: Logger): Promise<ExitCode> {
  const { selection, format, out, archive } = readExportRequest(invocation, io);
  // Before any database connection.
  if (selection.visibility === 'private' && invocation.config.log_database.length > 0) throw databaseExportRefused();
  const write = await exportWriter(format);
  // Checks of the service go first, even on one core.
  setPriority(Math.max(getPriority(), EXPORT_PRIORITY));
  await using opened = await openLog(invocation.config, 'read', logger);
  const subject = {
    visibility: selection.visibility,
    source: invocation.config.node_name ?? hostname(),
    selection: JSON.stringify(selection),
  };
  const isPrivate = selection.visibility === 'private';
  const openFile = (path: string, option: string) => fileSink(invocation.resolvePath(path), isPrivate, option);
  await using sink = out === null ? outputSink(io.stdout) : await openFile(out, '--out');
  await using archiveSink = archive === null ? null : await openFile(archive, '--pictures');
  // Private checks are exported only after the export is recorded.
  const what = archive === null ? format : `${format} with pictures`;
  const noted = isPrivate ? recordExport(opened, { format: what, selection: subject.selection }, invocation) : null;
  using pictures = archiveSink && exportPictures(invocation.config.data_dir, selection.visibility, archiveSink);
  const read = countRead(newestOf(opened.log, selection));
  const entries = pictures?.of(read.entries) ?? read.entries;
  for await (const piece of write(entries, subject)) await sink.write(piece);
  await pictures?.finish();
  await sink.finish();
  noted?.finish(read.count());
  return await reportUnread(read.unread(), io);
}

function readExportRequest(invocation: Invocation, { stdout }: Io) {
  const selection = readSelection(invocation);
  const format = choice(invocation, 'format', EXPORT_FORMATS);
  if (format === undefined) throw new UsageError(`--format is required: ${EXPORT_FORMATS.join(', ')}`);
  if (invocation.flag('follow')) throw new UsageError('--follow does not apply to export');
  const out = invocation.text('out') ?? null;
  if (format === 'parquet' && out === null && stdout.isTerminal)
    throw new UsageError('refusing to write Parquet to a terminal: use --out FILE');
  return { selection, format, out, archive: invocation.text('pictures') ?? null };
}
