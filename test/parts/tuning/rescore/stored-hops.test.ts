import { describe, expect, test } from 'bun:test';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { readPage } from '#src/network/html/read-page.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import { observeLists, withHopLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { type RedirectHop, visitOf } from '#src/network/probes/page-visit.ts';
import { createRescorer } from '#src/parts/tuning/rescore/rescore-check.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const EVIL = 'http://paypal-login.verify-account.cyou/signin';
const HARMLESS = 'https://quarry-lodge.info/go';
const ORDINARY = 'https://www.village-gardeners.org/about';
const MIDDLE = 'https://tide-tables.info/way';
const END = 'https://www.wikipedia.org/';

const listsOf = (block: string, allow = ''): LocalLists => ({
  block: [{ name: 'feed.txt', index: indexList(parseList(block)), changedAtMs: null }],
  allow: [{ name: 'ours.txt', index: indexList(parseList(allow)), changedAtMs: null }],
  stored: [],
});
const NONE = listsOf('');

/** What a check says of a link that leads along `urls`, or by its page to `exit`. */
function checked(urls: readonly [string, ...string[]], lists: LocalLists, models = MODELS, html = ''): CheckResult {
  const target = targetOf(urls[0]);
  const redirects = urls.slice(0, -1).map((url, i): RedirectHop => {
    return { url, location: urls[i + 1] ?? '', how: 'http', status: 302, address: '203.0.113.1' };
  });
  const url = urls.at(-1) ?? '';
  const document = readPage(new TextEncoder().encode(`<p>Hello</p>${html}`), { contentType: 'text/html', url });
  const visit = { ...visitOf(targetOf(url), { contentLength: 9, document }), redirects };
  const seen = {
    ...skippedObservations('disabled', observeLists(lists, target, 0)),
    page: { state: 'observed', value: visit, elapsedMs: 1 },
  } as const;
  const observations = withHopLists(seen, lists, 0);
  return describeCheck({
    ...{ requestId: '01900000-0000-7000-8000-000000000000', via: 'api', startedAtMs: 0, elapsedMs: 1 },
    ...{ stagesMs: { observe: 0, assess: 0 }, target, observations },
    assessment: assess(target, observations, models, SETTINGS),
  });
}

const again = (kept: CheckResult, lists: LocalLists, models = MODELS) =>
  createRescorer({ models, settings: SETTINGS, lists })(kept);

const RENAMED = { ...MODELS, version: 'another' };
const WAYS = [
  [HARMLESS, EVIL],
  [HARMLESS, MIDDLE, END],
  [EVIL, END],
  [HARMLESS, EVIL, END],
] as const;
const WORLDS = [
  NONE,
  listsOf('tide-tables.info'),
  listsOf('wikipedia.org'),
  listsOf('quarry-lodge.info'),
  listsOf('', 'quarry-lodge.info'),
];

describe.each(WAYS)('%s to %s', (...way) => {
  const urls = way.filter((url) => url !== undefined) as unknown as readonly [string, ...string[]];

  test.each(WORLDS.flatMap((then) => WORLDS.map((today) => [then, today] as const)))(
    'is re-scored as a new check would score it, whatever the lists contain',
    (then, today) => {
      const kept = checked(urls, then);
      const anew = checked(urls, today);
      for (const models of [MODELS, RENAMED]) {
        const judged = again(kept, today, models);
        expect(judged?.was.decision).toBe(kept.decision);
        if (then === today) expect(judged?.now.probability).toBeCloseTo(kept.malicious_probability, 9);
        // Beside a verdict that a list decided, what was said of the other URLs then is not kept.
        const isKnown = then === NONE || then === today || anew.decision === 'block';
        if (isKnown) expect(judged?.now.decision).toBe(anew.decision);
      }
    },
  );
});

test('a hop that was found in the page is re-scored, also with another model', () => {
  const kept = checked([HARMLESS], NONE, MODELS, `<script>location.href = "${EVIL}"</script>`);
  expect(kept.decision).toBe('block');
  for (const models of [MODELS, RENAMED]) expect(again(kept, NONE, models)?.now.decision).toBe('block');
  // A way that is not followed warns of hosts whose spelling leans to phishing.
  const harmless = checked(
    [ORDINARY],
    NONE,
    MODELS,
    '<script>location.href = "https://www.tide-society.org/"</script>',
  );
  expect(again(harmless, NONE)?.now.decision).toBe('allow');
  const listed = again(harmless, listsOf('tide-society.org'));
  expect(listed).toMatchObject({ now: { decision: 'block' }, because: 'lists' });
  expect(listed?.reason).toContain('tide-society.org');
});

test('a record of version 0.1, whose redirects have no score, keeps its verdict', () => {
  const kept = checked([HARMLESS, MIDDLE, END], NONE);
  const redirects = kept.analysis_details.redirects.map((one) => ({
    ...one,
    malicious_probability: null,
    decision: null,
  }));
  const old = { ...kept, analysis_details: { ...kept.analysis_details, redirects } };
  expect(again(old, NONE)?.now.decision).toBe(kept.decision);
  expect(again(old, listsOf('tide-tables.info'))?.now.decision).toBe('block');
});
