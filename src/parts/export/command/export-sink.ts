import { existsSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { Output } from '#src/core/base/io.ts';
import { UsageError } from '#src/interfaces/cli/command.ts';

/** Pieces are gathered to so many characters: one at a time would cost a system call each. */
const BATCH_CHARACTERS = 64 * 1024;

/**
 * Destination of an export. Disposing an unfinished one removes its output, except what a pipe has already consumed.
 */
export interface ExportSink extends AsyncDisposable {
  write(piece: string | Uint8Array): Promise<void>;
  /** Says that this was the whole. */
  finish(): Promise<void>;
}

/** A sink to an output. */
export function outputSink(output: Pick<Output, 'write'>): ExportSink {
  return gathering({ write: output.write, finish: async () => {}, [Symbol.asyncDispose]: async () => {} });
}

/**
 * Opens a file as a sink, readable only by its owner if `isPrivate`. The file at its path is replaced in one step once
 * everything is written. Throws UsageError if the path is not for a file.
 */
export async function fileSink(path: string, isPrivate: boolean, option = '--out'): Promise<ExportSink> {
  // Replaces the target of a link, so that the link stays, and never a device.
  const target = existsSync(path) ? realpathSync(path) : path;
  if (existsSync(target) && !statSync(target).isFile())
    throw new UsageError(`${option}: ${path} is not a regular file`);
  const draft = `${target}.${process.pid}.new`;
  const file = await openDraft(draft, path, isPrivate ? 0o600 : 0o666, option);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  return gathering({
    write: async (piece) => await file.writeFile(piece),
    async finish() {
      await file.sync();
      await close();
      await rename(draft, target);
    },
    async [Symbol.asyncDispose]() {
      await close();
      await rm(draft, { force: true });
    },
  });
}

async function openDraft(draft: string, path: string, mode: number, option: string): Promise<FileHandle> {
  try {
    return await open(draft, 'wx', mode);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new UsageError(`${option}: cannot create a file beside ${path} (${code})`, { cause });
  }
}

function gathering(sink: ExportSink): ExportSink {
  let text = '';
  const flush = async () => {
    const gathered = text;
    text = '';
    if (gathered !== '') await sink.write(gathered);
  };
  return {
    async write(piece) {
      if (typeof piece === 'string') text += piece;
      if (typeof piece !== 'string' || text.length >= BATCH_CHARACTERS) await flush();
      if (typeof piece !== 'string') await sink.write(piece);
    },
    async finish() {
      await flush();
      await sink.finish();
    },
    [Symbol.asyncDispose]: () => sink[Symbol.asyncDispose](),
  };
}
