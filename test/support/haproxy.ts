import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSelfSigned } from './certificate-authority.ts';
import { freePort } from './free-port.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { withPlaces } from './with-places.ts';

const EXAMPLE = readFileSync('.ci/packaging/haproxy.cfg', 'utf8');

/** A HAProxy of this machine's package, configured as our example says. Disposing of it ends it. */
export interface HaProxy extends AsyncDisposable {
  /** Of the example, with TLS. */
  readonly tlsPort: number;
  /** Self-signed, for `localhost`. */
  readonly certificate: string;
  /** Without TLS: the example redirects from there. */
  readonly redirectedPort: number;
  /** Of a frontend beside it, for load without TLS. */
  readonly port: number;
}

/** Starts `haproxy` (Debian's package of that name) in front of nodes, each at a unix socket; the example has two of them. */
export async function startHaProxy(sockets: readonly string[]): Promise<HaProxy> {
  if (Bun.which('haproxy') === null) throw new Error('haproxy is needed: apt-get install haproxy');
  const directory = temporaryDirectory();
  const [port, tlsPort, redirectedPort] = [await freePort(), await freePort(), await freePort()];
  const { pem, keyPem } = createSelfSigned(Date.now(), { subject: 'localhost' });
  const certificate = join(directory.path, 'balancer.pem');
  writeFileSync(certificate, `${pem}${keyPem}`);
  const config = join(directory.path, 'haproxy.cfg');
  const [one = '', two = '', ...others] = sockets;
  const places = {
    'bind :80': `bind 127.0.0.1:${redirectedPort}`,
    'bind :443 ssl crt /etc/haproxy/check.example.pem': `bind 127.0.0.1:${tlsPort} ssl crt ${certificate}`,
    '192.0.2.1:8080': one,
    '192.0.2.2:8080': two,
  };
  const plain = `\nfrontend plain\n  bind 127.0.0.1:${port}\n  option forwardfor\n  default_backend nodes\n`;
  writeFileSync(
    config,
    others.reduce((text, socket, at) => `${text}\tserver another-${at} ${socket}\n`, withPlaces(EXAMPLE, places)) +
      plain,
  );
  const child = Bun.spawn(['haproxy', '-db', '-q', '-f', config], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  return {
    ...{ port, tlsPort, redirectedPort, certificate: pem },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
      await directory[Symbol.asyncDispose]();
    },
  };
}
