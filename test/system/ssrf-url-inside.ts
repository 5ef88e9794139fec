import { once } from 'node:events';
import net from 'node:net';
import { serveDns } from '#test/network/egress/dns-server.ts';
import vectors from '#test/vectors/ssrf-url.json' with { type: 'json' };

/** Has the executable check every URL of the vectors, and prints what it answered and what it asked the world for. */
const [executable = ''] = process.argv.slice(2);
const PORTS = [80, 443, 8080, 8443];

const dialled: string[] = [];
for (const port of PORTS) {
  for (const host of ['0.0.0.0', '::']) {
    const server = net.createServer((socket) => {
      dialled.push(`${socket.localAddress} ${port}`);
      socket.destroy();
    });
    server.listen({ port, host, ipv6Only: host === '::' });
    await once(server, 'listening');
  }
}
await using dns = await serveDns(() => ({ rcode: 'NXDOMAIN' }));

const flags = ['--format', 'ndjson', '--input', 'ndjson', '--dns-server', `127.0.0.1:${dns.endpoint.port}`];
const child = Bun.spawn([executable, 'check', ...flags, '--probe-off', 'registration', '-'], {
  stdin: new Blob(vectors.vectors.map(({ input }) => `${JSON.stringify({ url: input })}\n`)),
  stdout: 'pipe',
  stderr: 'inherit',
});
const answers = (await child.stdout.text())
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line).analysis_details?.unavailable ?? null);
process.stdout.write(JSON.stringify({ answers, dialled, asked: dns.queries }), () => process.exit(0));
