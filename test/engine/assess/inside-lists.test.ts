import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import { observeLists, withHopLists } from '#src/network/probes/lists.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { NOTHING, observed } from '#test/engine/analyzers/evidence-samples.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { said } from '#test/support/said.ts';
import { targetOf } from '#test/support/target.ts';

const LISTED = 'listed.harbour-town.org';
const SUSPICIOUS = 'paypal-login.verify-account.cyou';

const named = (...entries: readonly string[]) =>
  entries.length === 0 ? [] : [{ name: 'own', index: indexList(parseList(entries.join('\n'))), changedAtMs: null }];
const listsOf = (block: readonly string[], allow: readonly string[] = []) => ({
  block: named(...block),
  allow: named(...allow),
  stored: [],
});

function classify(url: string, lists: ReturnType<typeof listsOf>, seen: Observations = NOTHING) {
  const target = targetOf(url);
  return assess(target, { ...seen, lists: observeLists(lists, target, 0) }, MODELS, SETTINGS);
}

describe('a block list decides on each URL that a link wraps', () => {
  test.each([
    `https://l.facebook.com/l.php?u=https%3A%2F%2F${LISTED}%2Fa&h=AT0`,
    `https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2F${LISTED}%2Fa&data=x`,
    `https://urldefense.proofpoint.com/v2/url?u=https-3A__${LISTED.replace('-', '-2D')}_a&d=x`,
    `https://urldefense.com/v3/__https://${LISTED}/a__;!!a$`,
    `https://url.uk.m.mimecastprotect.com/s/abc?domain=${LISTED}`,
    `https://linkprotect.cudasvc.com/url?a=https%3a%2f%2f${LISTED}%2fa&c=E`,
    `https://secure-web.cisco.com/1abc/https%3A%2F%2F${LISTED}%2Fa`,
    `https://eu-west-1.protection.sophos.com/?d=${LISTED}&u=${btoa(`https://${LISTED}/a`)}&i=x`,
    `https://x.r.eu-central-1.awstrack.me/L0/https:%2F%2F${LISTED}%2Fa/1/0100-000000/abc=1`,
    `https://click.pstmrk.it/3s/${LISTED}%2Fa/abcd/AQ/x`,
    `https://www.google.com/url?q=${LISTED}/a&sa=D`,
    `https://r.search.yahoo.com/_ylt=A/RV=2/RU=https%3a%2f%2f${LISTED}%2fa/RK=2/RS=b`,
    `https://adclick.g.doubleclick.net/pcs/click?xai=A&adurl=//${LISTED}/a`,
    `https://t.umblr.com/redirect?z=https%3A%2F%2F${LISTED}%2Fa`,
    `https://www.example.com/out?url=//${LISTED}/a`,
    `https://www.example.com/#/go?url=https://${LISTED}/a`,
    `https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3D${LISTED}`,
  ])('%s', (url) => {
    expect(classify(url, listsOf([])).decision).toBe('allow');
    const { decision, verdict, decidingHost } = classify(url, listsOf([LISTED]));
    expect([decision, decidingHost]).toEqual(['block', LISTED]);
    expect(verdict.contributions[0]?.code).toBe('lists.blocked');
    expect(said(verdict.contributions[0])).toContain(LISTED);
  });

  test('that a hop wraps', () => {
    const outer = targetOf('https://news.harbour-town.org/r302');
    const location = `https://l.facebook.com/l.php?u=https%3A%2F%2F${LISTED}%2Fa`;
    const redirects = [{ url: outer.url, location, how: 'http' as const, status: 302, address: '203.0.113.1' }];
    const visit = visitOf(targetOf(location), { contentLength: 0, document: null });
    const page = observed({ ...visit, redirects });
    const lists = listsOf([LISTED]);
    const seen = withHopLists({ ...NOTHING, page, lists: observeLists(lists, outer, 0) }, lists, 0);
    expect(assess(outer, seen, MODELS, SETTINGS).decision).toBe('block');
  });
});

test('an allowlist entry for one URL clears no other', () => {
  const outer = `https://www.example.com/out?url=https%3A%2F%2F${SUSPICIOUS}%2Fsignin`;
  expect(classify(outer, listsOf([], ['www.example.com'])).decision).toBe('block');
  expect(classify(outer, listsOf([], [SUSPICIOUS])).decision).toBe('allow');
  const suspicious = `http://${SUSPICIOUS}/signin?url=https%3A%2F%2F${LISTED}%2F`;
  expect(classify(suspicious, listsOf([], [LISTED])).decision).toBe('block');
  expect(classify(suspicious, listsOf([], [SUSPICIOUS])).decision).toBe('allow');
});

test('a list decides on the service that forwards as on any other host', () => {
  const url = `https://l.facebook.com/l.php?u=https%3A%2F%2F${LISTED}%2Fa`;
  expect(classify(url, listsOf(['l.facebook.com'])).decision).toBe('block');
  expect(classify(url, listsOf(['l.facebook.com'], [LISTED])).decision).toBe('block');
  expect(classify(url, listsOf([LISTED], ['l.facebook.com'])).decision).toBe('block');
});
