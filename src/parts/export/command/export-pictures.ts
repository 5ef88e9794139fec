import { existsSync } from 'node:fs';
import { openPictureFile, type PictureFile } from '#src/checks/store/pictures/picture-file.ts';
import { pictureFileIn } from '#src/checks/store/pictures/picture-path.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { ExportSink } from './export-sink.ts';

/** Size of a header and of padding in a tar archive (POSIX.1, ustar). */
const BLOCK = 512;

/** Pictures of the checks of an export. */
export interface PictureExport extends Disposable {
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
