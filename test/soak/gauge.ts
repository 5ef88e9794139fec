import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** MiB of memory that a process holds. */
export function residentMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** What a process has open. */
export interface OpenFiles {
  readonly all: number;
  readonly sockets: number;
}

export function openFiles(pid: number): OpenFiles {
  const folder = `/proc/${pid}/fd`;
  const kinds = readdirSync(folder).map((fd) => kindOf(`${folder}/${fd}`));
  return { all: kinds.length, sockets: kinds.filter((kind) => kind.startsWith('socket:')).length };
}

/** What a descriptor leads to; nothing where it was closed meanwhile. */
function kindOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
