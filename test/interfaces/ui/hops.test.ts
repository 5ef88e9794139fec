import { expect, test } from 'bun:test';
import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import { wayOf } from '#src/interfaces/ui/result/panels/hops.ts';
import { sampleResult } from './sample-result.ts';

type Redirect = AnalysisDetails['redirects'][number];

const START = 'http://xn--pypal-4ve.com.login.example.co.uk/account/verify?session=8f2e';
const { analysis_details: sample } = sampleResult();

const hop = (url: string, location: string | null, more: Partial<Redirect> = {}): Redirect => ({
  url,
  status: 302,
  location,
  address: '203.0.113.1',
  how: 'http',
  followed: true,
  malicious_probability: 0.2,
  decision: 'allow',
  ...more,
});

const urlsOf = (redirects: readonly Redirect[], finalUrl: string | null) => {
  const { visited, seen } = wayOf({ ...sample, redirects: [...redirects], final_url: finalUrl });
  return { visited: visited.map(({ url }) => url), seen: seen.map(({ url }) => url) };
};

const [A, B, C] = ['https://a.example/', 'https://b.example/', 'https://c.example/'] as const;

test.each([
  ['without a redirect', [], START, { visited: [START], seen: [] }],
  ['followed to the end', [hop(START, A), hop(A, B)], B, { visited: [START, A, B], seen: [] }],
  ['to an address at which nobody asked', [hop(START, A), hop(A, B)], A, { visited: [START, A], seen: [B] }],
  ['to nothing usable', [hop(START, null)], START, { visited: [START], seen: [null] }],
  [
    'on to what a script of the page names',
    [hop(START, A), hop(A, B, { how: 'script', followed: false }), hop(A, C, { how: 'frame', followed: false })],
    A,
    { visited: [START, A], seen: [B, C] },
  ],
])('separates the visited URLs of a redirect chain from those only seen: %s', (_, redirects, finalUrl, way) => {
  expect(urlsOf(redirects, finalUrl)).toEqual(way);
});

test('shows the domain of each hop, and its age only if that domain was looked up', () => {
  const landing = {
    host: 'b.example',
    dns_records: sample.dns_records,
    whois_info: sample.whois_info,
    cert_info: sample.cert_info,
  };
  const { visited } = wayOf({
    ...sample,
    landing,
    redirects: [hop(START, 'https://www.example.co.uk/'), hop('https://www.example.co.uk/', A), hop(A, B)],
    final_url: B,
  });
  expect(visited.map(({ owner, ageDays }) => [owner, ageDays])).toEqual([
    ['example.co.uk', 6],
    ['example.co.uk', 6],
    ['a.example', null],
    ['b.example', 6],
  ]);
  // Neither is a host that only ends in the same letters.
  const [, other] = wayOf({
    ...sample,
    redirects: [hop(START, 'https://badexample.co.uk/')],
    final_url: 'https://badexample.co.uk/',
  }).visited;
  expect([other?.owner, other?.ageDays]).toEqual(['badexample.co.uk', null]);
});

test('shows each IP address at the hop that it answered', () => {
  const { visited, seen } = wayOf({
    ...sample,
    redirects: [hop(START, A, { address: '192.0.2.1' }), hop(A, B, { address: '192.0.2.2' })],
    final_url: A,
  });
  expect(visited.map(({ address }) => address)).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(seen.map(({ address }) => address)).toEqual([null]);
});
