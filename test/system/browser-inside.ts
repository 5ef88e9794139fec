import type { VisitOutcome } from '#src/parts/browser/browser-thread.ts';
import { openBrowserThread } from '#src/parts/browser/browser-thread.ts';
import { VIEWPORTS } from '#src/parts/browser/visit/visit-page.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { openEgressWith } from '#test/network/egress/loopback.ts';
import { serveScript } from '#test/network/egress/script-server.ts';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { derContext, derImplicit, derOid, derSequence } from '#test/support/der-writer.ts';
import { PUBLIC } from '#test/support/place.ts';
import { serveWeb } from '#test/support/web-server.ts';
import { ESCAPES, HOSTILE_PAGES, PRIVATE_ADDRESSES, SECURE_ESCAPES } from './browser-escapes.ts';

/** Address of this namespace that no page may reach, and one that only rebinding leads to. */
const [INSIDE = ''] = PRIVATE_ADDRESSES;
/** Ports on which it hears datagrams. */
const DATAGRAM_PORTS = [53, 80, 443, 3478];
/** Page without tricks. */
const PLAIN = 'p0.pages-lab.com';
/** Time for a visit. A busy machine may end no visit within it, so an escape that ran out of time is tried again with more. */
const VISIT_MS = 4000;
const MORE_VISIT_MS = [16_000, 64_000];
/** Visits at a time. */
const TOGETHER = 8;

const html = (body: string, headers = '') =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${headers && `${headers}\r\n`}Connection: close\r\n\r\n<!doctype html>${body}`,
  );

/** A certificate that names places for its issuer, its revocation list and its responder. */
function certificate(name: string) {
  const uri = (text: string) => derImplicit(6, Buffer.from(text));
  const at = (oid: string) => derSequence(derOid(oid), uri(`http://${INSIDE}/${oid}`));
  return createCertificateAuthority(Date.now())
    .subordinate({})
    .issue({
      ...{ subject: name, names: [`*.${name}`] },
      extensions: {
        '1.3.6.1.5.5.7.1.1': derSequence(at('1.3.6.1.5.5.7.48.2'), at('1.3.6.1.5.5.7.48.1')),
        '2.5.29.31': derSequence(derSequence(derContext(0, derContext(0, uri(`http://${INSIDE}/list.crl`))))),
      },
    });
}

const WORKER = `oninstall=()=>skipWaiting();onactivate=e=>e.waitUntil(clients.claim());onfetch=e=>{e.respondWith(fetch('https://${INSIDE}/x'));fetch('http://169.254.169.254/x',{mode:'no-cors'})};fetch('https://${INSIDE}/x',{mode:'no-cors'});registration.sync?.register('a')`;

/** Runs inside a namespace: a browser visits pages that try to get out of it, and pages that try to stop it. */
async function run(): Promise<void> {
  const pages = new Map(
    [...ESCAPES, ...SECURE_ESCAPES, ...HOSTILE_PAGES].map(([name, page, headers], at) => [
      `p${at}.pages-lab.com`,
      { name, page, headers },
    ]),
  );
  const site = PUBLIC.siteAddress(0);
  const pageOf = (head: string) => pages.get(/^host: *([^\r:]*)/im.exec(head)?.[1] ?? '');
  await using _site = await serveScript((_, head) => html(pageOf(head)?.page ?? '', pageOf(head)?.headers), false, {
    address: site,
    port: 80,
  });
  await using _secureSite = await serveWeb(
    (path, { host = '' }) => {
      const { page = '', headers = '' } = pages.get(host) ?? {};
      if (path === '/worker.js') return { headers: { 'content-type': 'text/javascript' }, body: WORKER };
      const lines = headers
        .split('\r\n')
        .filter(Boolean)
        .map((line) => line.split(/: (.*)/s, 2));
      return { headers: Object.fromEntries(lines), body: `<!doctype html>${page}` };
    },
    { leaf: certificate('pages-lab.com') },
    { address: site, port: 443 },
  );
  const reached: string[] = [];
  const trap = async (address: string, port: number) =>
    await serveScript(
      (path) => {
        reached.push(`${address}:${port}${path}`);
        return html('<p>inside');
      },
      false,
      { address, port },
    );
  await using _metadata = await trap('169.254.169.254', 80);
  await using traps = new AsyncDisposableStack();
  for (const address of PRIVATE_ADDRESSES) {
    for (const port of [80, 443, 8080]) traps.use(await trap(address, port));
  }
  traps.use(await trap('127.0.0.1', 80));
  traps.use(await trap('127.0.0.1', 8080));
  for (const port of DATAGRAM_PORTS) {
    const heard = () => void reached.push(`a datagram at port ${port}`);
    const socket = await Bun.udpSocket({ hostname: INSIDE, port, socket: { data: heard } });
    traps.defer(() => socket.close());
  }
  const answers = new Map<string, number>();
  await using dns = await serveDns(
    ({ name, type }) => {
      const host = name.toLowerCase().replace(/\.$/, '');
      const times = (answers.get(host) ?? 0) + 1;
      answers.set(host, times);
      if (type !== 'A') return {};
      const isRebound = host.startsWith('rebind') && times > 1;
      const data = host.startsWith('inside') || isRebound ? INSIDE : site;
      return { answers: [{ name, type, ttl: 0, data }] };
    },
    { address: PUBLIC.resolver, port: PUBLIC.ports.dns },
  );
  await using egress = openEgressWith({ dns_server: [dns.endpoint] });
  await using thread = openBrowserThread(process.argv[2] ?? '', () => {});
  const secure = new Set(SECURE_ESCAPES.map(([name]) => name));
  const visit = async (host: string, timeoutMs = VISIT_MS) => {
    const scheme = secure.has(pages.get(host)?.name ?? '') ? 'https' : 'http';
    using socks = await egress.client().openSocks(new AbortController().signal);
    const order = { url: `${scheme}://${host}/`, proxyPort: socks.port, timeoutMs, userAgent: null };
    const visited = thread.visit(
      { ...order, hasScripts: true, takesPicture: host === PLAIN, viewport: VIEWPORTS.desktop },
      new AbortController().signal,
    );
    const outcome = await visited.outcome;
    await visited.left;
    return { outcome, refused: socks.report().refused };
  };
  const outcomes: Record<string, { result: string; refused: number; url: string; pictureBytes: number }> = {};
  const all = [...pages];
  // Most of a visit is waiting. Pages that use up the host come last, so that they cost the others no time.
  const escapes = ESCAPES.length + SECURE_ESCAPES.length;
  for (const [some, moreMs] of [
    [all.slice(0, escapes), MORE_VISIT_MS],
    [all.slice(escapes), []],
  ] as const) {
    const visitNext = async () => {
      for (let next = some.shift(); next; next = some.shift()) {
        const [host, { name }] = next;
        let visited = await visit(host);
        for (const ms of moreMs) {
          if (describe(visited.outcome).result === 'timeout') visited = await visit(host, ms);
        }
        outcomes[name] = { ...describe(visited.outcome), refused: visited.refused };
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, visitNext));
  }
  // The browser is killed in the middle of a visit; the next visit has another.
  const hanging = visit([...pages].find(([, { name }]) => name === 'a script without end')?.[0] ?? '');
  const first = thread.state.group;
  process.kill(-(first ?? 0), 'SIGKILL');
  const killed = describe((await hanging).outcome).result;
  const after = describe((await visit(PLAIN, MORE_VISIT_MS[1])).outcome).result;
  process.stdout.write(JSON.stringify({ outcomes, reached, killed, after, isOther: thread.state.group !== first }));
}

function describe(outcome: VisitOutcome) {
  if (!('page' in outcome)) return { result: outcome.status, url: outcome.problem, pictureBytes: 0 };
  const { document, screenshot } = outcome.page;
  return { result: 'ok', url: document?.url ?? '', pictureBytes: screenshot?.bytes.length ?? 0 };
}

await run();
