import { existsSync } from 'node:fs';
import { getPriority, hostname, setPriority } from 'node:os';
import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import { openPictureFile, type PictureFile } from '#src/checks/store/pictures/picture-file.ts';
import { pictureFileIn } from '#src/checks/store/pictures/picture-path.ts';
import type { LogEntry, ScanLog } from '#src/checks/store/scan-log.ts';
import type { Io } from '#src/core/base/io.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { choice, type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { readSelection } from '#src/interfaces/cli/log/log-request.ts';
import { newestMessages, readMessageSelection, wantsMessages } from '#src/interfaces/cli/log/message-request.ts';
import { countRead, newestOf, reportUnread } from '#src/interfaces/cli/log/read-checks.ts';
import { EXPORT_FORMATS, exportWriter } from '../export-format.ts';
import type { ExportSubject } from '../export-subject.ts';
import { MESSAGE_EXPORT_FORMATS, writeMessages } from '../messages.ts';
import { type ExportSink, fileSink, outputSink } from './export-sink.ts';
import { databaseExportRefused, recordExport } from './record-export.ts';

/** Size of a header and of padding in a tar archive (POSIX.1, ustar). */
const BLOCK = 512;

/** Pictures of the checks of an export. */
interface PictureExport extends Disposable {
  /** Hands entries on, and writes the picture of each. */
  of(entries: AsyncIterable<LogEntry>): AsyncIterable<LogEntry>;
  /** Ends the archive. */
  finish(): Promise<void>;
}

/** Exports pictures of this data directory as a tar archive of `REQUEST_ID.webp`, with the time of each check. */
export function exportPictures(dataDir: string, visibility: Visibility, sink: ExportSink): PictureExport {
  const path = pictureFileIn(dataDir, visibility);
  const file: PictureFile | null = existsSync(path) ? openPictureFile(path, Date.now()) : null;
  return {
    async *of(entries) {
      for await (const entry of entries) {
        const { request_id: id } = entry.result;
        const webp = file?.find(id) ?? null;
        if (webp !== null) {
          await sink.write(header(`${id}.webp`, webp.length, requestIdMs(id)));
          await sink.write(webp);
          await sink.write(new Uint8Array(-webp.length & (BLOCK - 1)));
        }
        yield entry;
      }
    },
    async finish() {
      await sink.write(new Uint8Array(2 * BLOCK));
      await sink.finish();
    },
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  };
}

function header(name: string, size: number, modifiedMs: number): Uint8Array {
  const bytes = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  bytes.write(name, 0);
  bytes.write(octal(0o600, 7), 100);
  bytes.write(octal(0, 7) + octal(0, 7), 108);
  bytes.write(octal(size, 11) + octal(Math.floor(modifiedMs / 1000), 11), 124);
  bytes.write('        0', 148);
  bytes.write('ustar\u000000', 257);
  const sum = bytes.reduce((total, byte) => total + byte);
  bytes.write(`${octal(sum, 6)} `, 148);
  return bytes;
}

/** As `nice` has it. */
const EXPORT_PRIORITY = 10;

/** Returns `lurecheck log export`. */
export const logExport = () => ({ formats: EXPORT_FORMATS, run: exportLog });

/** Writes the checks that are asked for in a format for other programs, to stdout or into a file. */
async function exportLog(invocation: Invocation<ConfigFor<'log'>>, io: Io, logger: Logger): Promise<ExitCode> {
  const request = readExportRequest(invocation, io);
  const { selection, format, out, archive } = request;
  // Before any database connection.
  if (selection.visibility === 'private' && invocation.config.log_database.length > 0) throw databaseExportRefused();
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
  const { pieces, count, unread } = await writeExport(opened.log, request, subject, pictures);
  for await (const piece of pieces) await sink.write(piece);
  await pictures?.finish();
  await sink.finish();
  noted?.finish(count());
  return await reportUnread(unread(), io);
}

/** An export on its way, and how many checks it has so far. */
interface ExportPieces {
  readonly pieces: AsyncIterable<string | Uint8Array>;
  count(): number;
  /** Checks whose record cannot be read. */
  unread(): number;
}

async function writeExport(
  log: ScanLog,
  request: ReturnType<typeof readExportRequest>,
  subject: ExportSubject,
  pictures: PictureExport | null,
): Promise<ExportPieces> {
  if (request.kind === 'message') {
    let count = 0;
    const pieces = writeMessages(
      newestMessages(log, request.selection, () => count++),
      request.format,
    );
    return { pieces, count: () => count, unread: () => 0 };
  }
  const write = await exportWriter(request.format);
  const read = countRead(newestOf(log, request.selection));
  const entries = pictures?.of(read.entries) ?? read.entries;
  return { pieces: write(entries, subject), count: read.count, unread: read.unread };
}

function readExportRequest(invocation: Invocation, io: Io) {
  if (!wantsMessages(invocation)) return readUrlExport(invocation, io);
  const format = choice(invocation, 'format', MESSAGE_EXPORT_FORMATS);
  if (format === undefined) throw new UsageError(`--format is required: ${MESSAGE_EXPORT_FORMATS.join(', ')}`);
  if (invocation.text('pictures') !== undefined)
    throw new UsageError('messages have no pictures: leave --pictures out');
  const selection = readMessageSelection(invocation);
  return { kind: 'message', selection, format, out: invocation.text('out') ?? null, archive: null } as const;
}

function readUrlExport(invocation: Invocation, { stdout }: Io) {
  const selection = readSelection(invocation);
  const format = choice(invocation, 'format', EXPORT_FORMATS);
  if (format === undefined) throw new UsageError(`--format is required: ${EXPORT_FORMATS.join(', ')}`);
  if (invocation.flag('follow')) throw new UsageError('--follow does not apply to export');
  const out = invocation.text('out') ?? null;
  if (format === 'parquet' && out === null && stdout.isTerminal)
    throw new UsageError('refusing to write Parquet to a terminal: use --out FILE');
  return { kind: 'url', selection, format, out, archive: invocation.text('pictures') ?? null } as const;
}
