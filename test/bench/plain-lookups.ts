import dgram from 'node:dgram';
import tls from 'node:tls';
import { encodeQuery } from '#src/network/egress/dns/message.ts';

/**
 * `bun test/bench/plain-lookups.ts SITES RESOLVER_PORT CHECKS`: for each line that it reads, the processor time of what a check of a
 * new host in the laboratory asks the network, made plainly, in milliseconds per check: its DNS records, a handshake for the
 * certificate, and one more with a GET.
 */
const [sites = '[]', resolver = '', checks = ''] = process.argv.slice(2);
const SITES: readonly { readonly name: string; readonly address: string; readonly port: number }[] = JSON.parse(sites);
const RECORDS = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'SOA', 'TXT', 'CAA'] as const;
/** As many as the service is asked for at a time. */
const TOGETHER = 4;

function talk({ name, address, port }: (typeof SITES)[number], request: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: address, port, servername: name, rejectUnauthorized: false });
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.once('secureConnect', () => {
      if (request === null) socket.destroy();
      else socket.write(request);
    });
    socket.on('data', () => {});
  });
}

function query(name: string, type: (typeof RECORDS)[number]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = dgram.createSocket('udp4');
    socket.on('error', reject);
    socket.on('message', () => socket.close(() => resolve()));
    socket.connect(Number(resolver), '127.0.0.1', () => socket.send(encodeQuery({ id: 1, name, type })));
  });
}

async function lookUp(count: number): Promise<void> {
  let asked = 0;
  const turns = Array.from({ length: TOGETHER }, async () => {
    for (let n = asked++; n < count; n = asked++) {
      const site = SITES[n % SITES.length];
      if (!site) return;
      const request = `GET / HTTP/1.1\r\nHost: ${site.name}:${site.port}\r\nConnection: close\r\n\r\n`;
      const queries = RECORDS.map((type) => query(site.name, type));
      await Promise.all([...queries, talk(site, null), talk(site, request)]);
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
