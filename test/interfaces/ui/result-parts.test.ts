import { expect, test } from 'bun:test';
import { filterIn, queryOf } from '#src/interfaces/ui/history/history-query.ts';
import { spreadDays } from '#src/interfaces/ui/history/spread-days.ts';
import { waterfallSteps } from '#src/interfaces/ui/result/panels/waterfall-steps.ts';
import { reportFileName } from '#src/interfaces/ui/result/report-file-name.ts';
import { splitUrl } from '#src/interfaces/ui/result/split-url.ts';
import { hrefOf, hrefOfLink, readRoute } from '#src/interfaces/ui/shell/route.ts';
import injection from '#test/vectors/output-injection.json' with { type: 'json' };
import { sampleResult } from './sample-result.ts';

const {
  base_log_odds: base,
  reasons,
  malicious_probability,
} = {
  ...sampleResult().analysis_details,
  ...sampleResult(),
};

test('each bar of the waterfall begins where the one before it ended, and the last ends at the probability', () => {
  const { start, steps, end } = waterfallSteps(base, reasons);
  let at = start.at;
  for (const step of steps) {
    expect(step.from).toBeCloseTo(at, 12);
    expect(Math.sign(step.to - step.from)).toBe(Math.sign(step.reason.weight));
    at = step.to;
  }
  expect(end.at).toBeCloseTo(at, 12);
  expect(end.probability).toBeCloseTo(malicious_probability, 12);
});

test('the axis holds every bar, whatever the weights', () => {
  for (const weight of [0.001, 1, -3, 12, -19]) {
    const many = reasons.map((reason, i) => ({ ...reason, weight: weight * (i % 3 === 0 ? 1 : -0.5) }));
    const { start, steps, end, ticks } = waterfallSteps(base, many);
    for (const at of [
      start.at,
      end.at,
      ...steps.flatMap(({ from, to }) => [from, to]),
      ...ticks.map((tick) => tick.at),
    ]) {
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThanOrEqual(1);
    }
  }
});

test('without reasons the waterfall is its two ends', () => {
  const { start, steps, end } = waterfallSteps(base, []);
  expect(steps).toEqual([]);
  expect(end).toEqual(start);
});

test('a URL is cut around the site that ends its host, not around a look-alike further left', () => {
  expect(splitUrl('https://paypal.com.evil.example:8080/paypal.com', 'evil.example')).toEqual({
    before: 'https://paypal.com.',
    owner: 'evil.example',
    after: ':8080/paypal.com',
  });
  expect(splitUrl('http://evil.example@evil.example/', 'evil.example').before).toBe('http://evil.example@');
  expect(splitUrl('http://[2001:db8::1]/x', '2001:db8::1').owner).toBe('2001:db8::1');
  expect(splitUrl('not a url', 'x')).toEqual({ before: 'not a url', owner: '', after: '' });
});

test('the parts of a cut URL are the URL', () => {
  for (const [url, site] of [
    ['https://a.b.example/?q#', 'b.example'],
    ['http://user:***@b.example:81/p', 'b.example'],
    ['http://10.0.0.1/', '10.0.0.1'],
  ] as const) {
    const { before, owner, after } = splitUrl(url, site);
    expect(before + owner + after).toBe(url);
    expect(owner).toBe(site);
  }
});

test('a report gets a name that every file system takes, whatever the host', () => {
  for (const { payload } of injection.vectors.filter(({ group }) => group === 'export-name')) {
    const result = sampleResult();
    const hostile = {
      ...result,
      analysis_details: {
        ...result.analysis_details,
        host_parts: { ...result.analysis_details.host_parts, ascii: payload },
      },
    };
    expect(reportFileName(hostile)).toMatch(/^lurecheck-block-[A-Za-z0-9-]{1,60}-2026-11-20\.html$/);
  }
});

test('the fragment may hold a link, which is decoded where it can be', () => {
  const linkIn = (hash: string) => readRoute(hash);
  const filled = (link: string) => ({ name: 'check' as const, link, filter: {} });
  expect(linkIn('#url=https%3A%2F%2Fa.example%2F%3Fb%23c')).toEqual(filled('https://a.example/?b#c'));
  expect(linkIn('#url=https://a.example/?b=c&d#e')).toEqual(filled('https://a.example/?b=c&d#e'));
  expect(linkIn('#url=%E0%A4%A')).toEqual(filled('%E0%A4%A'));
  for (const url of ['https://a.example/?b=c&d=%25#e', 'http://ä.example/ ']) {
    expect(linkIn(hrefOfLink(url))).toEqual(filled(url));
  }
});

test('a page within the page is named by the fragment, the history with its filters', () => {
  expect(readRoute('#/history')).toEqual({ name: 'history', link: null, filter: {} });
  expect(readRoute('#/constructor')).toEqual({ name: 'check', link: null, filter: {} });
  expect(readRoute('#/overview?domain=a')).toEqual({ name: 'overview', link: null, filter: {} });
  const filter = { q: 'a b&c=d', domain: 'ä.example', decision: 'block', from: '2026-01-31' };
  expect(readRoute(hrefOf('history', filter))).toEqual({ name: 'history', link: null, filter });
});

test('a filter is what the operation takes, and a day is meant whole', () => {
  const filter = filterIn({
    q: 'x',
    domain: '',
    decision: 'warn',
    from: '2026-01-31',
    until: '2026-01-31',
    other: 'y',
  });
  expect(filter).toEqual({ q: 'x', decision: 'warn', from: '2026-01-31', until: '2026-01-31' });
  const { from = '', until = '', ...rest } = queryOf(filter);
  expect(rest).toEqual({ q: 'x', decision: 'warn' });
  expect(Date.parse(until) - Date.parse(from)).toBe(86_400_000);
  expect(queryOf({ from: '2026-01-31T00:00:00.000Z' })).toEqual({ from: '2026-01-31T00:00:00.000Z' });
});

test('days are drawn in a row, and many of them together, without losing a check', () => {
  const day = (n: number) => ({ start: new Date(Date.UTC(2026, 0, n)).toISOString(), allow: n, warn: 1, block: 0 });
  expect(spreadDays([])).toEqual([]);
  expect(spreadDays([day(1), day(4)]).map(({ allow }) => allow)).toEqual([1, 0, 0, 4]);
  const many = Array.from({ length: 300 }, (_, i) => day(i + 1));
  const columns = spreadDays(many);
  expect(columns.length).toBeLessThanOrEqual(62);
  expect(columns.reduce((sum, { warn }) => sum + warn, 0)).toBe(300);
});
