import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { executable } from '#test/support/executable.ts';
import { HANG_MS } from '#test/support/patience.ts';

/** What a system must have to be booted, and what has it look and power off. */
const FILES: Readonly<Record<string, string>> = {
  'etc/machine-id': '0123456789abcdef0123456789abcdef\n',
  'etc/os-release': 'ID=bare\n',
  'etc/passwd': 'root:x:0:0::/root:/bin/sh\n',
  'etc/group': 'root:x:0:\n',
  'etc/systemd/system/look.target': '[Unit]\nRequires=basic.target\nAfter=basic.target\nWants=look.service\n',
  'etc/systemd/system/look.service':
    // The manager powers off by itself: a command that asks it to could be left without an answer, and all would stand.
    '[Unit]\nSuccessAction=poweroff-force\nFailureAction=poweroff-force\n' +
    '[Service]\nType=oneshot\nExecStart=/bin/sh /opt/look\nStandardOutput=file:/var/looked\nStandardError=file:/var/said\n',
};

export interface BootOptions {
  /** The executable; that of this source by default. */
  readonly program?: string;
  /** Options of systemd-nspawn(1). */
  readonly options?: readonly string[];
}

/**
 * Boots a system of this machine's programs in a folder, by systemd, with nothing set up but `files`, the executable as
 * `/opt/lurecheck`, and no network; runs a shell script in it; the lines that this printed. What it said on stderr is shown.
 */
export async function bootAndLook(
  root: string,
  files: Readonly<Record<string, string>>,
  look: string,
  { program, options = [] }: BootOptions = {},
): Promise<string[]> {
  // Others than root must be able to see what is in it.
  chmodSync(root, 0o755);
  for (const folder of ['var', 'usr', 'root', 'tmp']) mkdirSync(join(root, folder));
  for (const [path, text] of Object.entries({ ...FILES, ...files, 'opt/look': look })) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  cpSync(program ?? (await executable()), join(root, 'opt/lurecheck'));
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    [
      ...['systemd-nspawn', '-q', `--directory=${root}`, '--bind-ro=/usr', '--private-network', '--register=no'],
      ...options,
      ...['--keep-unit', '--boot', 'systemd.unit=look.target', 'systemd.firstboot=off'],
    ],
    { timeout: HANG_MS },
  );
  if (exitCode !== 0) throw new Error(`${stdout}${stderr}`);
  const said = readFileSync(join(root, 'var/said'), 'utf8');
  if (said !== '') process.stderr.write(said);
  return readFileSync(join(root, 'var/looked'), 'utf8').split('\n');
}
