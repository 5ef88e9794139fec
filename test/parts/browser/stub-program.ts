import { readdirSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a program that runs the stub under a shell that waits for it, as Debian's program does. */
export async function stubProgram(folder: string, kind: string): Promise<string> {
  const path = join(folder, `browser-${kind}`);
  await writeFile(path, `#!/bin/sh -e\n"${process.execPath}" "${import.meta.dir}/stub-browser.ts" "${kind}"\n`);
  await chmod(path, 0o755);
  return path;
}

/** Returns true if a process of a group runs; one that ended and was not reaped yet does not. */
export function isGroupAlive(group: number | null): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      const [state, , own] = readFileSync(`/proc/${Number(pid)}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      return Number(own) === group && state !== 'Z';
    } catch {
      return false;
    }
  });
}

/** Waits until every process of a group has ended: a killed one does so on its own time. */
export async function untilGroupEnds(group: number | null): Promise<void> {
  while (isGroupAlive(group)) await new Promise(setImmediate);
}
