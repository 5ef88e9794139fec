import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';

/** A file, or a folder, in an archive. */
export interface ArchiveEntry {
  /** Without a slash before or behind it. */
  readonly path: string;
  /** Null for a folder. */
  readonly content: Uint8Array | string | null;
  /** Where it is a symbolic link, to what. */
  readonly linkTo?: string;
  /** 0o644 for a file, 0o755 for a folder where nothing is said. */
  readonly mode?: number;
  /** User and group, by number; root where nothing is said. */
  readonly owner?: number;
}

/**
 * A tar archive (POSIX ustar) that says the same whenever and by whomever it is made: in byte order of paths, of one time,
 * with every folder above an entry.
 *
 * @param prefix before each path, such as `./`
 */
export async function tarOf(entries: readonly ArchiveEntry[], mtime: Date, prefix = ''): Promise<Uint8Array> {
  const archive = pack();
  const all = [...foldersAbove(entries), ...entries].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, content, linkTo, mode, owner = 0 } of all) {
    const name = `${prefix}${path}`;
    const header = { mtime, uid: owner, gid: owner };
    if (linkTo !== undefined) archive.entry({ ...header, name, type: 'symlink', linkname: linkTo, mode: 0o777 });
    else if (content === null) archive.entry({ ...header, name: `${name}/`, type: 'directory', mode: mode ?? 0o755 });
    else archive.entry({ ...header, name, mode: mode ?? 0o644 }, Buffer.from(content));
  }
  archive.finalize();
  return await buffer(archive);
}

/** The folders that hold the entries and are not among them. */
function foldersAbove(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const named = new Set(entries.map(({ path }) => path));
  const above = entries.flatMap(({ path }) => {
    const parts = path.split('/').slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  });
  return [...new Set(above)].filter((path) => !named.has(path)).map((path) => ({ path, content: null }));
}

const compress = promisify(gzip);

/** Compressed as gzip, without a name and a time. */
export async function gzipped(bytes: Uint8Array): Promise<Uint8Array> {
  return await compress(bytes);
}
