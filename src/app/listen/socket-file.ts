import { lstat, unlink } from 'node:fs/promises';
import { net } from '#src/core/base/lazily.ts';

/** Returns true if a host may use the protocol; refusals are logged. */
const FILE_MASK = 0o117;

/**
 * Binds a Unix socket to a file. A file left by a killed process is removed first; sockets in use and other files are
 * not touched.
 *
 * @param bind creates the file before it returns
 * @throws Error whose message is the end of a sentence; any error of `bind`
 */
export async function bindSocketFile(path: string, bind: () => void): Promise<void> {
  const file = await lstat(path).catch(() => null);
  if (file && !file.isSocket()) throw new Error('the file exists and is not a socket; choose another path');
  if (file && (await isAnswered(path)))
    throw new Error('another program already listens there; stop it, or choose another path');
  if (file) await unlink(path);
  // So that at no moment anybody else may connect.
  const usual = process.umask(FILE_MASK);
  try {
    bind();
  } finally {
    process.umask(usual);
  }
}

/** Returns true if a program listens on a socket; what cannot be asked is taken for one. */
async function isAnswered(path: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = net().connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => resolve(!('code' in error && error.code === 'ECONNREFUSED')));
  });
}
