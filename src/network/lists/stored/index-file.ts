import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stampOf } from '#src/core/base/files/followed-file.ts';
import { isObject } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import type { PackedTable } from './entry-table.ts';
import { listsFolder, type StoredVersion } from './list-state.ts';

/** Number of the layout. A file of another layout is made again. */
const LAYOUT = 1;

/** Size of the first line, which describes the numbers behind it, in bytes. */
const HEAD_BYTES = 4096;

/** Bytes that are hashed in one turn of the event loop, some milliseconds. */
const TURN_BYTES = 8 * 2 ** 20;

/** Description of an index file; lengths are in numbers of 32 bits, null for no array. */
interface IndexHead extends Pick<PackedTable['keys'], 'beginnings' | 'blockBits'> {
  readonly layout: number;
  readonly sha256: string;
  /** Stamp of the version's file, which is read and verified again once it is another. */
  readonly stamp: string;
  readonly size: number;
  readonly lengths: readonly (number | null)[];
  readonly usual: readonly (number | null)[];
  readonly bytes: number;
  readonly hash: string;
}

/** Returns the path of the index of a version: beside it, and omitted from backups by its first character. */
export function indexFileOf(dataDir: string, file: string): string {
  return join(listsFolder(dataDir), `.${file}.index`);
}

/**
 * Writes the index of a version beside it, so that the next start need not read a million entries again. A cache: without it,
 * or if it is damaged, the version itself is read.
 */
export async function writeIndexFile(dataDir: string, version: StoredVersion, table: PackedTable): Promise<void> {
  const { texts, authorities, beginnings, blockBits } = table.keys;
  const numbers = [texts.ends, texts.slots, authorities, ...table.facts.map(({ values }) => values)];
  const data = Buffer.concat(
    [...numbers, texts.blob].flatMap((array) =>
      array === null ? [] : [new Uint8Array(array.buffer, array.byteOffset, array.byteLength)],
    ),
  );
  const head: IndexHead = {
    ...{ layout: LAYOUT, sha256: version.sha256, stamp: stampOfFile(dataDir, version) },
    ...{ size: texts.size, beginnings, blockBits },
    lengths: numbers.map((array) => array?.length ?? null),
    usual: table.facts.map(({ usual }) => usual),
    ...{ bytes: data.length, hash: await hashOf(data) },
  };
  const line = Buffer.from(JSON.stringify(head));
  // Prefixes of hundreds of lengths would not fit; each start reads such a list as a whole.
  if (line.length >= HEAD_BYTES) return;
  const path = indexFileOf(dataDir, version.file);
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const bytes = Buffer.concat([line, Buffer.alloc(HEAD_BYTES - line.length, ' '), data]);
  await writeFile(draft, bytes, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
}

/** Reads the index of a version; null if it does not exist, is of another version, or damaged. */
export async function readIndexFile(dataDir: string, version: StoredVersion): Promise<PackedTable | null> {
  const bytes = await Bun.file(indexFileOf(dataDir, version.file))
    .bytes()
    .catch(() => null);
  if (bytes === null || bytes.length < HEAD_BYTES) return null;
  const head = parseJson(new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)));
  if (!isHeadOf(version, head) || head.stamp !== stampOfFile(dataDir, version)) return null;
  const data = bytes.subarray(HEAD_BYTES);
  if (data.length !== head.bytes || (await hashOf(data)) !== head.hash) return null;
  let at = data.byteOffset;
  const take = (length: number | null) => {
    if (length === null) return null;
    const array = new Uint32Array(data.buffer, at, length);
    at += array.byteLength;
    return array;
  };
  const [ends, slots, authorities = null, ...columns] = head.lengths.map(take);
  if (!ends || !slots) return null;
  const blob = new Uint8Array(data.buffer, at, data.byteOffset + data.length - at);
  return {
    keys: { texts: { size: head.size, blob, ends, slots }, authorities, ...headKeys(head) },
    facts: columns.map((values, column) => ({ values, usual: head.usual[column] ?? null })),
  };
}

const headKeys = ({ beginnings, blockBits }: IndexHead) => ({ beginnings, blockBits });

/** The hash over the rest holds for the head's other members: who changes both may as well change the list. */
function isHeadOf({ sha256 }: StoredVersion, head: unknown): head is IndexHead {
  return isObject(head) && head['layout'] === LAYOUT && head['sha256'] === sha256;
}

function stampOfFile(dataDir: string, { file }: StoredVersion): string {
  return stampOf(join(listsFolder(dataDir), file));
}

/** A hash against damage, not against forgery. */
async function hashOf(data: Uint8Array): Promise<string> {
  let hash = 0n;
  for (let at = 0; at < data.length; at += TURN_BYTES) {
    hash = Bun.hash.wyhash(data.subarray(at, at + TURN_BYTES), hash);
    await nextTurn();
  }
  return hash.toString(16);
}
