import type { Browser, CDPSession, Page } from 'playwright-core';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { serveScript } from '#test/network/egress/script-server.ts';
import { PUBLIC } from '#test/support/place.ts';
import { HONEST_PAGES } from './tricks/honest-pages.ts';
import { answerOf, type Sites } from './tricks/site-answers.ts';
import { TRICKS } from './tricks/table.ts';
import { launchChromium } from './ui-browser.ts';

/** Tabs that are open at a time, and the time for which a visitor looks at each, in milliseconds. */
const TABS = 8;
const VISITOR_MS = 5000;
/** A visitor presses the button that fills the window, and holds it. */
const PRESS_AT_MS = 1000;
const RELEASE_AT_MS = 2300;
const LOOK_EVERY_MS = 300;

/** Serves all sites at a public address, and lets Chromium and lurecheck visit them. Prints what came of each. */
async function run(): Promise<void> {
  const sites: Sites = new Map([
    ...TRICKS.flatMap(({ kit, site }) => [[kit.host, site] as const, [kit.other, site] as const]),
    ...HONEST_PAGES.map(({ host, site }) => [host, site] as const),
  ]);
  const address = PUBLIC.siteAddress(0);
  await using _server = await serveScript((path, head) => answerOf(sites, path, head), false, {
    address,
    port: PUBLIC.ports.http,
  });
  const dnsAt = { address: PUBLIC.resolver, port: PUBLIC.ports.dns };
  await using _dns = await serveDns(
    ({ name, type }) => ({ answers: type === 'A' ? [{ name, type, ttl: 60, data: address }] : [] }),
    dnsAt,
  );
  const browser = await launchChromium(`MAP * ${address}`);
  const shown = await shownIn(browser);
  await browser.close();
  const urls = [...TRICKS.map(({ kit }) => kit.host), ...HONEST_PAGES.map(({ host }) => host)].map(
    (host) => `http://${host}/`,
  );
  const checked = await checkAll(urls);
  process.stdout.write(
    JSON.stringify({
      tricks: TRICKS.map(({ kind, name }, row) => ({ ...checked[row], kind, name, isShown: shown[row] })),
      honest: HONEST_PAGES.map(({ name, isEmptyShell }, at) => ({
        ...checked[TRICKS.length + at],
        name,
        isEmptyShell,
      })),
    }),
  );
}

/** Returns for each trick if the browser shows a person a field for a password. */
async function shownIn(browser: Browser): Promise<boolean[]> {
  const shown: boolean[] = [];
  const rows = TRICKS.entries();
  const tab = async () => {
    for (const [row, { kit }] of rows) {
      const context = await browser.newContext({ locale: 'en-US', viewport: { width: 800, height: 600 } });
      shown[row] = await asksForPassword(await context.newPage(), `http://${kit.host}/`);
      await context.close();
    }
  };
  await Promise.all(Array.from({ length: TABS }, tab));
  return shown;
}

async function asksForPassword(page: Page, url: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  await page.goto(url, { waitUntil: 'commit', timeout: VISITOR_MS }).catch(() => null);
  const start = performance.now();
  const press = async () => {
    await page.mouse.move(400, 300);
    await page.mouse.down();
  };
  const acts = [
    { atMs: PRESS_AT_MS, act: press },
    { atMs: RELEASE_AT_MS, act: () => page.mouse.up() },
  ];
  for (let passedMs = 0; passedMs < VISITOR_MS; passedMs = performance.now() - start) {
    if (await hasPrompt(page, session)) return true;
    if (acts[0] && acts[0].atMs <= passedMs)
      await acts
        .shift()
        ?.act()
        .catch(() => null);
    await Bun.sleep(LOOK_EVERY_MS);
  }
  return false;
}

/** Closed shadow roots and frames are searched too; a frame in a process of its own has a session of its own. */
async function hasPrompt(page: Page, session: CDPSession): Promise<boolean> {
  if (await isPromptIn(session)) return true;
  const top = hostOf(page.url());
  for (const frame of page.frames().filter((one) => one.url().startsWith('http') && hostOf(one.url()) !== top)) {
    const own = await page
      .context()
      .newCDPSession(frame)
      .catch(() => null);
    if (own && (await isPromptIn(own))) return true;
  }
  return false;
}

const hostOf = (url: string) => URL.parse(url)?.host;

interface Node {
  readonly nodeId: number;
  readonly nodeName: string;
  readonly attributes?: string[];
  readonly children?: Node[];
  readonly shadowRoots?: Node[];
  readonly contentDocument?: Node;
}

async function isPromptIn(session: CDPSession): Promise<boolean> {
  try {
    const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
    for (const nodeId of promptsIn(root)) {
      // Fails for an element that is not shown.
      const { model } = await session.send('DOM.getBoxModel', { nodeId });
      if (model.width > 0 && model.height > 0) return true;
    }
  } catch {
    // The document has gone meanwhile, or its field is not shown.
  }
  return false;
}

function promptsIn({
  nodeId,
  nodeName,
  attributes = [],
  children = [],
  shadowRoots = [],
  contentDocument,
}: Node): number[] {
  const isPassword = /^(?:\w+:)?input$/i.test(nodeName) && attributeOf(attributes, 'type') === 'password';
  const isPrompt = isPassword || [attributeOf(attributes, 'id'), attributeOf(attributes, 'name')].includes('secret');
  const inside = [...children, ...shadowRoots, ...(contentDocument ? [contentDocument] : [])];
  return [...(isPrompt ? [nodeId] : []), ...inside.flatMap(promptsIn)];
}

function attributeOf(attributes: readonly string[], name: string): string | undefined {
  const at = attributes.findIndex((one, index) => index % 2 === 0 && one === name);
  return at === -1 ? undefined : attributes[at + 1];
}

/** The page alone decides: the hosts have no records, registration or certificate. */
async function checkAll(urls: readonly string[]) {
  const patience = ['deadline', 'connect-timeout', 'dns-timeout', 'html-timeout'];
  const args = [
    ...patience.flatMap((limit) => [`--${limit}-seconds`, '30']),
    ...['dns', 'registration', 'certificate'].flatMap((probe) => ['--probe-off', probe]),
  ];
  const main = `${import.meta.dir}/../../src/main.ts`;
  const command = [process.execPath, main, 'check', '--format', 'json', '--dns-server', PUBLIC.resolver];
  const child = Bun.spawn([...command, ...args, ...urls], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  const results = (await child.stdout.json()) as CheckResult[];
  return results.map((result) => ({
    decision: result.decision,
    coverage: result.analysis_details.coverage,
    caution: result.analysis_details.caution,
    reasons: result.analysis_details.reasons.map(({ code }) => code),
  }));
}

await run();
