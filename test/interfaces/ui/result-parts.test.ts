import { expect, test } from 'bun:test';
import { filterIn, queryOf, spreadDays } from '#src/interfaces/ui/history/history-query.ts';
import { splitUrl } from '#src/interfaces/ui/result/destination.ts';
import { waterfallSteps } from '#src/interfaces/ui/result/panels/waterfall-steps.ts';
import { reportFileName } from '#src/interfaces/ui/result/report-file-name.ts';
import { hrefOf, hrefOfLink, hrefOfResult, readRoute } from '#src/interfaces/ui/shell/route.ts';
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

test('each bar of the waterfall begins where the previous one ended, and the last ends at the probability', () => {
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

test('the axis of the waterfall contains every bar for any weights', () => {
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

test('a waterfall without reasons has only its start and its end', () => {
  const { start, steps, end } = waterfallSteps(base, []);
  expect(steps).toEqual([]);
  expect(end).toEqual(start);
});

test('splits a URL at the site at the end of its host, not at an earlier look-alike', () => {
  expect(splitUrl('https://paypal.com.evil.example:8080/paypal.com', 'evil.example')).toEqual({
    before: 'https://paypal.com.',
    owner: 'evil.example',
    after: ':8080/paypal.com',
  });
  expect(splitUrl('http://evil.example@evil.example/', 'evil.example').before).toBe('http://evil.example@');
  expect(splitUrl('http://[2001:db8::1]/x', '2001:db8::1').owner).toBe('2001:db8::1');
  expect(splitUrl('not a url', 'x')).toEqual({ before: 'not a url', owner: '', after: '' });
});

test('the parts of a split URL join to the same URL', () => {
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

test('the file name of a report has only portable characters for any host', () => {
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

test('reads a link from the fragment, and decodes it if possible', () => {
  const linkIn = (hash: string) => readRoute(hash);
  const filled = (link: string) => ({ name: 'check' as const, link, filter: {} });
  expect(linkIn('#url=https%3A%2F%2Fa.example%2F%3Fb%23c')).toEqual(filled('https://a.example/?b#c'));
  expect(linkIn('#url=https://a.example/?b=c&d#e')).toEqual(filled('https://a.example/?b=c&d#e'));
  expect(linkIn('#url=%E0%A4%A')).toEqual(filled('%E0%A4%A'));
  for (const url of ['https://a.example/?b=c&d=%25#e', 'http://ä.example/ ']) {
    expect(linkIn(hrefOfLink(url, false))).toEqual(filled(url));
    expect(linkIn(hrefOfLink(url, true))).toEqual({ ...filled(url), isPrivate: true });
  }
});

test('a link to a result is private unless it says that it is of a public check', () => {
  const result = { name: 'result' as const, link: 'abc.def', filter: {} };
  expect(readRoute(hrefOfResult('abc.def', true))).toEqual(result);
  expect(readRoute(hrefOfResult('abc.def', false))).toEqual({ ...result, isPrivate: true });
});

test('reads the page name and the history filters from the fragment', () => {
  expect(readRoute('#/history')).toEqual({ name: 'history', link: null, filter: {} });
  expect(readRoute('#/constructor')).toEqual({ name: 'check', link: null, filter: {} });
  expect(readRoute('#/overview?domain=a')).toEqual({ name: 'overview', link: null, filter: {} });
  const filter = { q: 'a b&c=d', domain: 'ä.example', decision: 'block', from: '2026-01-31' };
  expect(readRoute(hrefOf('history', filter))).toEqual({ name: 'history', link: null, filter });
});

test('a filter has only parameters of the operation, and a date includes the whole day', () => {
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

test('fills gaps between days and merges many days without losing a check', () => {
  const day = (n: number) => ({ start: new Date(Date.UTC(2026, 0, n)).toISOString(), allow: n, warn: 1, block: 0 });
  expect(spreadDays([])).toEqual([]);
  expect(spreadDays([day(1), day(4)]).map(({ allow }) => allow)).toEqual([1, 0, 0, 4]);
  const many = Array.from({ length: 300 }, (_, i) => day(i + 1));
  const columns = spreadDays(many);
  expect(columns.length).toBeLessThanOrEqual(62);
  expect(columns.reduce((sum, { warn }) => sum + warn, 0)).toBe(300);
});
