import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../licences/bundle-map.ts';
import type { ArchiveEntry } from './archive.ts';

/** Where Debian's man and shells look for what they know of a program. */
const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/lurecheck',
  zsh: 'usr/share/zsh/vendor-completions/_lurecheck',
  fish: 'usr/share/fish/vendor_completions.d/lurecheck.fish',
};

/** The manual page, and completions for each shell, as the program of this source prints them, where Debian has them. */
export function shellFiles(): ArchiveEntry[] {
  const completions = Object.entries(COMPLETIONS).map(([shell, path]) => ({
    path,
    content: printed('completions', shell),
  }));
  return [
    { path: 'usr/share/man/man1/lurecheck.1.gz', content: gzipSync(printed('man'), { level: 9 }) },
    ...completions,
  ];
}

function printed(...args: readonly string[]): string {
  const { stdout, stderr, success } = Bun.spawnSync([process.execPath, join(ROOT, 'src/main.ts'), ...args], {
    env: {},
  });
  if (!success) throw new Error(`lurecheck ${args.join(' ')}: ${stderr.toString()}`);
  return stdout.toString();
}
