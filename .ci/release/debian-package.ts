import { type ArchiveEntry, gzipped, tarOf } from './archive.ts';

/** A binary package for Debian and what descends from it. */
export interface DebianPackage {
  /** Fields of its control file (Debian policy 5.3), in order. */
  readonly control: Readonly<Record<string, string>>;
  /** Scripts of the maintainers, by name: `postinst`. */
  readonly scripts: Readonly<Record<string, string>>;
  /** What it installs, relative to the root. */
  readonly files: readonly ArchiveEntry[];
}

/** The package as deb(5) wants it: an ar archive of its version, its control files and its files. */
export async function debianPackage({ control, scripts, files }: DebianPackage, mtime: Date): Promise<Uint8Array> {
  const size = files.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  const fields = { ...control, 'Installed-Size': String(Math.ceil(size / 1024)) };
  const configuration = files.filter(isConfiguration).map(({ path }) => `/${path}\n`);
  const controlFiles: ArchiveEntry[] = [
    {
      path: 'control',
      content: Object.entries(fields)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
    },
    {
      path: 'md5sums',
      content: files
        .filter((file) => !isConfiguration(file))
        .map(md5Line)
        .join(''),
    },
    ...(configuration.length > 0 ? [{ path: 'conffiles', content: configuration.join('') }] : []),
    ...Object.entries(scripts).map(([path, content]) => ({ path, content, mode: 0o755 })),
  ];
  return arOf(
    [
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.gz', await gzipped(await tarOf(controlFiles, mtime, './'))],
      ['data.tar.gz', await gzipped(await tarOf(files, mtime, './'))],
    ],
    mtime,
  );
}

/** A file that is the operator's once it is installed (deb-conffiles(5)): dpkg keeps what was changed. */
const isConfiguration = ({ path, content }: ArchiveEntry): boolean => content !== null && path.startsWith('etc/');

/** Not for security: dpkg compares installed files with it. */
function md5Line({ path, content }: ArchiveEntry): string {
  return content === null ? '' : `${Bun.MD5.hash(content, 'hex')}  ${path}\n`;
}

/** The common ar format: a header of 60 characters before each member, and each begins at an even byte. */
function arOf(members: readonly (readonly [name: string, content: Uint8Array])[], mtime: Date): Uint8Array {
  const seconds = String(Math.floor(mtime.getTime() / 1000));
  const parts = members.flatMap(([name, content]) => [
    Buffer.from(
      `${name.padEnd(16)}${seconds.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(content.length).padEnd(10)}\`\n`,
    ),
    content,
    Buffer.from(content.length % 2 === 0 ? '' : '\n'),
  ]);
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
