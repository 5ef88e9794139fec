import { expect, test } from 'bun:test';
import { createLinkStore } from '#src/app/message/link-store.ts';
import { messageLink } from '#src/engine/message/message-link.ts';
import { classifyLinks as classifyPacked, type MailClassifier } from '#src/parts/mail/classify-mail.ts';
import { decisionOf } from '#src/parts/mail/mail-decision.ts';

/** Allows everything, and blocks hosts by a list that begin with `listed`, and by their spelling those with `lure`. */
function classifier(): MailClassifier & { classified: number } {
  const own = {
    classified: 0,
    listed: ({ host }: { host: { text: string } }) => (host.text.startsWith('listed') ? ('block' as const) : null),
    verdict: ({ host }: { host: { text: string } }) => {
      own.classified += 1;
      const isBlocked = /^(?:lure|listed)/.test(host.text);
      const decision = isBlocked
        ? ('block' as const)
        : host.text.startsWith('odd')
          ? ('warn' as const)
          : ('allow' as const);
      return { probability: isBlocked ? 0.9 : 0.1, decision, listed: null };
    },
    mayBeListed: (bytes: Uint8Array, from: number, to: number) =>
      Buffer.from(bytes.subarray(from, to)).includes('//listed'),
    isInside: () => false,
    canary: () => null,
    probeHost: async () => null,
  };
  return own;
}

function classifyLinks(urls: readonly string[], own: MailClassifier, signal: AbortSignal) {
  const store = createLinkStore();
  for (const url of urls) store.add(messageLink(url, ''));
  return classifyPacked(store.pack(), own, signal);
}

const never = new AbortController().signal;
const decoys = (count: number) => Array.from({ length: count }, (_, at) => `https://site${at}-x.com/`);
const sameSite = (count: number) => Array.from({ length: count }, (_, at) => `https://www.site-x.com/${at}`);

test.each([201, 5000])('a listed link behind %d links to other sites is blocked', async (count) => {
  const found = await classifyLinks([...decoys(count), 'https://listed-x.com/x'], classifier(), never);
  expect(found).toMatchObject({ blocked: 1, isWhole: false, worst: { rule: 'list-blocks', decision: 'block' } });
});

test('links of one site are one: any number of them leaves nothing out', async () => {
  const own = classifier();
  const found = await classifyLinks(sameSite(5000), own, never);
  expect(found).toMatchObject({ isWhole: true, worst: { decision: 'allow' } });
  expect(own.classified).toBe(5);
  const behind = await classifyLinks([...sameSite(5000), 'https://lure-x.com/'], classifier(), never);
  expect(behind).toMatchObject({ isWhole: true, worst: { decision: 'block', rule: 'spelling' } });
});

test('200 sites are classified, and with another one the mail is not whole', async () => {
  expect(await classifyLinks(decoys(200), classifier(), never)).toMatchObject({ isWhole: true });
  expect(await classifyLinks(decoys(201), classifier(), never)).toMatchObject({ isWhole: false });
});

test('an abort ends the work with what was found', async () => {
  const stop = new AbortController();
  const own = classifier();
  const isListed = own.mayBeListed;
  let asked = 0;
  const mayBeListed: typeof isListed = (...places) => {
    if (++asked === 1000) stop.abort();
    return isListed(...places);
  };
  const found = await classifyLinks(['https://listed-x.com/', ...decoys(10_000)], { ...own, mayBeListed }, stop.signal);
  expect(found).toMatchObject({ isWhole: false, blocked: 1, worst: { decision: 'block' } });
  expect(asked).toBe(1000);
});

test('other work takes its turn after 200 links at most', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await classifyLinks(decoys(10_000), classifier(), never);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(10_000 / 200);
});

test('probing ends with the signal', async () => {
  const stop = new AbortController();
  const probing = Promise.withResolvers<null>();
  const probeHost = () => {
    stop.abort();
    return probing.promise;
  };
  const own = { ...classifier(), probeHost };
  const found = await classifyLinks(['https://odd-x.com/'], own, stop.signal);
  expect(found.worst?.decision).toBe('warn');
});

const link = (decision: 'allow' | 'warn' | 'block') => ({
  ...{ target: null as never, decision, probability: 0.5, rule: 'spelling' as const, observations: null },
});

const verdict = (decision: 'warn' | 'block', probability: number) => ({
  ...{ decision, probability, reasons: ['links.suspicious'] },
});

test.each([
  ['allow; links=0; probability=0.0500; model=m', {}],
  ['unknown; links=0; unread=2; probability=0.0500; model=m', { unread: 2 }],
  ['unknown; links=0; probability=0.0500; incomplete; model=m', { isWhole: false }],
  ['allow; links=3; blocked=0; probability=0.0500; model=m', { count: 3, worst: link('allow') }],
  ['allow; links=3; unread=1; blocked=0; probability=0.0500; model=m', { count: 3, worst: link('allow'), unread: 1 }],
  [
    'unknown; links=3; blocked=0; probability=0.0500; mismatch=1; incomplete; model=m',
    { count: 3, worst: link('allow'), isWhole: false, isMismatched: true },
  ],
  [
    'warn; links=3; blocked=0; probability=0.6000; incomplete; model=m; reasons=links.suspicious',
    { count: 3, worst: link('warn'), isWhole: false, verdict: verdict('warn', 0.6) },
  ],
  [
    'block; links=3; blocked=1; probability=0.9500; incomplete; model=m; reasons=links.suspicious',
    { count: 3, blocked: 1, worst: link('block'), isWhole: false, verdict: verdict('block', 0.95) },
  ],
])('the mark is %s', (mark, finding) => {
  const empty = {
    verdict: { decision: 'allow' as const, probability: 0.05, reasons: [] },
    count: 0,
    blocked: 0,
    worst: null,
    isMismatched: false,
    unread: 0,
    isWhole: true,
  };
  const decision = decisionOf({ ...empty, ...finding }, 'reject', [], 'm');
  expect(decision.mark).toBe(mark);
  expect(decision.isFlagged).toBe(mark.startsWith('block'));
  expect(decision.action).toBe(mark.startsWith('block') ? 'reject' : 'accept');
});
