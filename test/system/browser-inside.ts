import type { VisitOutcome } from '#src/parts/browser/browser-thread.ts';
import { openBrowserThread } from '#src/parts/browser/browser-thread.ts';
import { VIEWPORTS } from '#src/parts/browser/visit/visit-page.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { openEgressWith } from '#test/network/egress/loopback.ts';
import { serveScript } from '#test/network/egress/script-server.ts';
import { PUBLIC } from '#test/support/place.ts';
import { ESCAPES, HOSTILE_PAGES } from './browser-escapes.ts';

/** Address of this namespace that no page may reach, and one that only rebinding leads to. */
const INSIDE = '10.0.0.1';
/** Page without tricks. */
const PLAIN = 'p0.pages-lab.com';
const VISIT_MS = 4000;
/** Visits at a time. */
const TOGETHER = 8;

const html = (body: string) =>
  Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<!doctype html>${body}`);

/** Runs inside a namespace: a browser visits pages that try to get out of it, and pages that try to stop it. */
async function run(): Promise<void> {
  const pages = new Map(
    [...ESCAPES, ...HOSTILE_PAGES].map(([name, page], at) => [`p${at}.pages-lab.com`, { name, page }]),
  );
  const site = PUBLIC.siteAddress(0);
  await using _site = await serveScript(
    (_, head) => html(pages.get(/^host: *([^\r:]*)/im.exec(head)?.[1] ?? '')?.page ?? ''),
    false,
    { address: site, port: 80 },
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
  await using _inside = await trap(INSIDE, 80);
  await using _secure = await trap(INSIDE, 443);
  await using _own = await trap('127.0.0.1', 8080);
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
  const visit = async (host: string) => {
    using socks = await egress.client().openSocks(new AbortController().signal);
    const order = { url: `http://${host}/`, proxyPort: socks.port, timeoutMs: VISIT_MS, userAgent: null };
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
  for (const some of [all.slice(0, ESCAPES.length), all.slice(ESCAPES.length)]) {
    const visitNext = async () => {
      for (let next = some.shift(); next; next = some.shift()) {
        const [host, { name }] = next;
        const { outcome, refused } = await visit(host);
        outcomes[name] = { ...describe(outcome), refused };
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, visitNext));
  }
  // The browser is killed in the middle of a visit; the next visit has another.
  const hanging = visit([...pages].find(([, { name }]) => name === 'a script without end')?.[0] ?? '');
  const first = thread.state.group;
  process.kill(-(first ?? 0), 'SIGKILL');
  const killed = describe((await hanging).outcome).result;
  const after = describe((await visit(PLAIN)).outcome).result;
  process.stdout.write(JSON.stringify({ outcomes, reached, killed, after, isOther: thread.state.group !== first }));
}

function describe(outcome: VisitOutcome) {
  if (!('page' in outcome)) return { result: outcome.status, url: outcome.problem, pictureBytes: 0 };
  const { document, screenshot } = outcome.page;
  return { result: 'ok', url: document?.url ?? '', pictureBytes: screenshot?.bytes.length ?? 0 };
}

await run();
