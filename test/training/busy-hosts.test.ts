import { expect, test } from 'bun:test';
import { describeBusyHosts, measureBusyHosts, withBusyHosts } from '#src/training/measure/busy-hosts.ts';

/** Hosts `h0.example`, `h1.example` …, with the number as their score in millionths. */
const lines = Array.from({ length: 40_000 }, (_, at) => `${at + 1},h${at}.example`);
const scoreOf = (url: string) => Number(/h(\d+)/.exec(url)?.[1]) / 1e6 + 0.9;

test('the threshold is fitted on one half of the hosts and measured on the other', () => {
  const { hosts, fitted, held } = measureBusyHosts(lines, scoreOf, 0.92);
  expect(hosts).toBe(20_000);
  // Of 20,000 hosts one may be held: 39,998 is the highest score of the half that is fitted, 39,996 the next.
  expect(fitted).toBe(0.94);
  expect(held).toContainEqual({ threshold: 0.94, count: 0 });
  expect(held).toContainEqual({ threshold: 0.92, count: 10_000 });
});

test('lines that name no host are left out', () => {
  expect(measureBusyHosts(['', 'a.example', '3,b.example', 'not a host', 'c.example'], () => 0, 0.98).hosts).toBe(1);
});

test('a new measurement replaces the old one in the card and keeps the rest', () => {
  const first = withBusyHosts('# Card\n', describeBusyHosts(measureBusyHosts(lines, scoreOf, 0.92), 0.92));
  expect(first).toContain('| 0.92 (shipped) | 10000 | 50.0000 % |');
  const second = withBusyHosts(`${first}\n## By hand\n`, 'other figures');
  expect(second).toBe(
    `# Card\n\n## Threshold of the gate\n\n${first.slice(first.indexOf('<!--'), first.indexOf('-->') + 3)}\n\nother figures\n\n<!-- end of busy hosts -->\n\n## By hand\n`,
  );
});
