import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { withPlaces } from './with-places.ts';

const EXAMPLE = readFileSync('.ci/packaging/haproxy.cfg', 'utf8');

/** A HAProxy of this machine's package, configured as our example says. Disposing of it ends it. */
export interface HaProxy extends AsyncDisposable {
  readonly port: number;
}

/** Starts `haproxy` (Debian's package of that name) in front of nodes, each at a unix socket; the example has two of them. */
export async function startHaProxy(sockets: readonly string[]): Promise<HaProxy> {
  if (Bun.which('haproxy') === null) throw new Error('haproxy is needed: apt-get install haproxy');
  const directory = temporaryDirectory();
  const port = await freePort();
  const config = join(directory.path, 'haproxy.cfg');
  const [one = '', two = '', ...others] = sockets;
  const places = { 'bind :80': `bind 127.0.0.1:${port}`, '192.0.2.1:8080': one, '192.0.2.2:8080': two };
  writeFileSync(
    config,
    others.reduce((text, socket, at) => `${text}\tserver another-${at} ${socket}\n`, withPlaces(EXAMPLE, places)),
  );
  const child = Bun.spawn(['haproxy', '-db', '-q', '-f', config], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
      await directory[Symbol.asyncDispose]();
    },
  };
}
