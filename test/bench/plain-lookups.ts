import tls from 'node:tls';

/**
 * `bun test/bench/plain-lookups.ts SITES AUTHORITY CHECKS`: for each line that it reads, the processor time of what a check of a
 * site of the laboratory asks the network once its names are known, made plainly, in milliseconds per check: a handshake with the
 * site for its certificate, and one more with a GET.
 */
const [sites = '[]', ca = '', checks = ''] = process.argv.slice(2);
const SITES: readonly { readonly name: string; readonly address: string; readonly port: number }[] = JSON.parse(sites);
/** As many as the service is asked for at a time. */
const TOGETHER = 4;

function talk({ name, address, port }: (typeof SITES)[number], request: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: address, port, servername: name, ca, rejectUnauthorized: false });
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.once('secureConnect', () => {
      if (request === null) socket.destroy();
      else socket.write(request);
    });
    socket.on('data', () => {});
  });
}

async function lookUp(count: number): Promise<void> {
  let asked = 0;
  const turns = Array.from({ length: TOGETHER }, async () => {
    for (let n = asked++; n < count; n = asked++) {
      const site = SITES[n % SITES.length];
      if (!site) return;
      const request = `GET / HTTP/1.1\r\nHost: ${site.name}:${site.port}\r\nConnection: close\r\n\r\n`;
      await Promise.all([talk(site, null), talk(site, request)]);
    }
  });
  await Promise.all(turns);
}

for await (const _ of console) {
  const before = process.cpuUsage();
  await lookUp(Number(checks));
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ millis: (user + system) / 1000 / Number(checks) })}\n`);
}
