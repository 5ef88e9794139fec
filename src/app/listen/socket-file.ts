import { lstat, unlink } from 'node:fs/promises';
import { net } from '#src/core/base/late-modules.ts';

/** Its owner and its group may connect, which takes the right to write (unix(7)); nobody else may. */
const FILE_MASK = 0o117;

/**
 * Binds a unix socket to a file. One that a killed process left behind is removed first; one on which a program listens,
 * and a file of any other kind, are left as they are.
 *
 * @param bind makes the file; must have done so when it returns.
 * @throws Error with a sentence's end as its message, or whatever `bind` throws.
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
