import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import type { HopRequest } from '#src/network/egress/http/hop.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { pageProbe } from '#src/network/probes/page.ts';
import { assetHeaders, navigationHeaders } from '#src/network/probes/visit/navigation-headers.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { openEgressWith, PATIENCE } from '#test/network/egress/loopback.ts';
import { createSelfSigned } from '#test/support/certificate-authority.ts';
import { type Listening, listen } from '#test/support/listen.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { PUBLIC } from '#test/support/place.ts';
import { targetOf } from '#test/support/target.ts';
import { until } from '#test/support/until.ts';
import { answerFromZone } from '#test/support/zone.ts';
import { answerTo, REQUEST_WAYS, type RequestWay, urlsOf, WAY_HOSTS } from './request-ways.ts';
import { launchChromium } from './ui-browser.ts';

/** Lets Chromium and the page probe go each way, at public addresses, and prints the heads of their requests. */
async function run(): Promise<void> {
  const heads: string[] = [];
  const addresses = WAY_HOSTS.map((name, index) => [name, PUBLIC.siteAddress(index)] as const);
  await using plain = await serveHeads(heads, false);
  await using secure = await serveHeads(heads, true);
  const zone = new Map(addresses.map(([name, address]) => [name, { a: [address] }]));
  const dnsAt = { address: PUBLIC.resolver, port: PUBLIC.ports.dns };
  await using dns = await serveDns((query) => answerFromZone(zone, query), dnsAt);
  await using egress = openEgressWith({ ...PATIENCE, dns_server: [dns.endpoint] });
  const rules = addresses.map(([name, address]) => `MAP ${name} ${address}`).join(',');
  await using browser = await launchChromium(rules, ['--ignore-certificate-errors', '--accept-lang=en-US,en']);
  const { signal } = new AbortController();

  const results: Record<string, { readonly chromium: string[]; readonly lurecheck: string[] }> = {};
  for (const [name, way] of Object.entries(REQUEST_WAYS)) {
    const urls = urlsOf(way);
    const isComplete = () => heads.length >= urls.length;
    const page = await browser.newPage();
    await Promise.all([page.goto(urls[0] ?? '').catch(() => null), until(isComplete)]);
    await page.close();
    const chromium = heads.splice(0);
    if (way.how.every((how) => how === 'http' || how === 'refresh')) {
      const context = {
        egressClient: egress.client(),
        readPage: async (bytes: Uint8Array, source: Parameters<typeof readPage>[1]) => readPage(bytes, source),
        pageTimeoutMs: PATIENT_MS,
      };
      await pageProbe.observe(targetOf(urls[0] ?? ''), context, signal);
    } else for (const step of requestsOf(way, urls)) await egress.client().fetchHop(step, signal);
    results[name] = { chromium, lurecheck: heads.splice(0) };
  }
  // A server that keeps connections open, as browsers ask for, sees the probe close them.
  const openSockets = () => plain.openSockets() + secure.openSockets();
  await until(() => openSockets() === 0);
  process.stdout.write(JSON.stringify(results));
}

function requestsOf({ how }: RequestWay, urls: readonly string[]): HopRequest[] {
  const [targets, steps] = [
    urls.map(targetOf),
    how.map((one, at) => ({ url: urls[at] ?? '', location: urls[at + 1] ?? null, how: one })),
  ];
  return targets.map((url, at) => {
    const page = targets[at - 1];
    const isScript = how[at - 1] === 'file';
    return {
      url,
      headers:
        page && isScript ? assetHeaders('script', url, page) : navigationHeaders({ url, steps: steps.slice(0, at) }),
    };
  });
}

async function serveHeads(heads: string[], isSecure: boolean): Promise<Listening> {
  const respond = (socket: Socket) => {
    let head = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1');
      if (!head.endsWith('\r\n\r\n')) return;
      const path = head.split(' ')[1] ?? '';
      if (path !== '/favicon.ico') heads.push(head);
      socket.write(answerTo(path));
      head = '';
    });
  };
  const { pem, keyPem } = createSelfSigned(Date.now(), { subject: WAY_HOSTS[0], names: WAY_HOSTS });
  const server = isSecure
    ? tls.createServer({ cert: pem, key: keyPem, ALPNProtocols: ['http/1.1'] }, respond)
    : net.createServer(respond);
  server.on('tlsClientError', () => {});
  return await listen(server, { address: '0.0.0.0', port: PUBLIC.ports[isSecure ? 'https' : 'http'] });
}

await run();
