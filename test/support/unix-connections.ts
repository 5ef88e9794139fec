import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** State of a connected socket in `/proc/net/unix`. */
const CONNECTED = '03';

/** Descriptors of stdin, stdout and stderr, which may be sockets of whoever started the process, and have copies. */
const STANDARD = ['0', '1', '2'];

/**
 * Counts the connections to Unix sockets that a process has opened. Those that it has accepted bear the path of its
 * own socket; those that it has opened bear none.
 */
export function openedUnixConnections(pid: number): number {
  const rows = readFileSync('/proc/net/unix', 'utf8').trim().split('\n').slice(1);
  const opened = new Set(
    rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, , , , , state, , path]) => state === CONNECTED && path === undefined)
      .map(([, , , , , , inode]) => `socket:[${inode}]`),
  );
  const folder = `/proc/${pid}/fd`;
  for (const fd of STANDARD) opened.delete(targetOf(`${folder}/${fd}`));
  return readdirSync(folder).filter((fd) => opened.has(targetOf(`${folder}/${fd}`))).length;
}

/** Returns where a link leads; empty if it was closed meanwhile. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
