import { describe, expect, test } from 'bun:test';
import { basename } from 'node:path';
import { readFacts } from '#src/core/knowledge/fact-file.ts';
import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { targetOf } from '#test/support/target.ts';
import { bundledData } from '../../../.ci/licences/data.ts';

describe('well-known hosts are classified by what they offer', () => {
  const cases: [string, HostKind | null][] = [
    ['shop.weebly.com', 'builder'],
    ['x.github.io', 'code'],
    ['x.trycloudflare.com', 'tunnel'],
    ['docs.google.com/forms/d/e/x', 'document'],
    ['forms.gle/x', 'form'],
    ['bit.ly/x', 'shortener'],
    ['linktr.ee/x', 'link_in_bio'],
    ['x.duckdns.org', 'dynamic_dns'],
    ['ipfs.io/ipfs/x', 'ipfs_gateway'],
    ['eur01.safelinks.protection.outlook.com/?url=x', 'redirector'],
    ['notweebly.com', null],
    ['weebly.com.example', null],
    ['192.0.2.1', null],
  ];
  test.each(cases)('%s', (url, kind) => {
    expect(knowledge.hostFact(targetOf(url).host)?.kind ?? null).toBe(kind);
  });
});

describe('the publisher of a host is the part that its owner registered', () => {
  test.each([
    ['a.b.example.co.uk/x', 'example.co.uk'],
    ['user.github.io/x', 'user.github.io'],
    ['user.webcindario.com/x', 'user.webcindario.com'],
    ['a.user.webcindario.com/x', 'user.webcindario.com'],
    ['www.webcindario.com', 'webcindario.com'],
    ['192.0.2.1', '192.0.2.1'],
  ])('%s', (url, publisher) => {
    expect(knowledge.publisherOf(targetOf(url).host)).toBe(publisher);
  });
});

describe('popularity belongs to the publisher, not to the platform', () => {
  test.each([
    ['google.com', 3],
    ['mail.google.com/mail', 3],
    ['docs.google.com/forms/d/e/x', null],
    ['sites.google.com/view/x', null],
    ['weebly.com', 5],
    ['no-such-user-here.weebly.com', null],
    ['bit.ly/abc', null],
    ['no-such-site-here.example', null],
  ])('%s', (url, bucket) => {
    expect(knowledge.popularityOf(targetOf(url))).toBe(bucket as ReturnType<typeof knowledge.popularityOf>);
  });
});

test('a tracker is known by its domain, including all hosts under it', () => {
  const isTracker = (url: string) => knowledge.isTracker(targetOf(url).host);
  expect(['adnxs.com', 'm.adnxs.com/seg?x=1', 'bcp.crwdcntrl.net'].map(isTracker)).toEqual([false, false, true]);
  expect(['crwdcntrl.net.example', 'notcrwdcntrl.net', 'user.github.io'].map(isTracker)).toEqual([false, false, false]);
});

test('every table is used in this room, and states its source, date and licence', async () => {
  const folder = new URL('../../../src/core/knowledge/', import.meta.url).pathname;
  const code = await Promise.all(
    [...new Bun.Glob('**/*.ts').scanSync(folder)].map((name) => Bun.file(folder + name).text()),
  );
  const tables = [...new Bun.Glob('**/*.json').scanSync(folder)];
  expect(tables.length).toBeGreaterThan(20);
  for (const name of tables) {
    const table = await Bun.file(folder + name).json();
    expect(readFacts(name, table, isAnything)).toBe(table.entries);
    const { source, retrieved, licence } = table;
    const path = `src/core/knowledge/${name}`;
    expect(bundledData([path])).toEqual([{ path, source, retrieved, licence }]);
    expect([name, code.some((text) => new RegExp(`from '\\.[^']*/${basename(name)}'`).test(text))]).toEqual([
      name,
      true,
    ]);
  }
});

const isAnything = (entries: unknown): entries is unknown => entries !== undefined;

test('the embedded tables take between 1 and 2 MB', async () => {
  const directory = new URL('../../../src/core/knowledge/', import.meta.url).pathname;
  let total = 0;
  for (const name of new Bun.Glob('**/*.{json,txt}').scanSync(directory)) total += Bun.file(directory + name).size;
  expect(total).toBeLessThan(2_000_000);
  expect(total).toBeGreaterThan(1_000_000);
});

test('the popular sites are unique and in byte order, as the search requires', async () => {
  const text = await Bun.file(new URL('../../../src/core/knowledge/hosts/popular-sites.txt', import.meta.url)).text();
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  expect(lines.length).toBeGreaterThan(70_000);
  expect(lines.filter((line) => !/^[a-z0-9.-]+ [3-5]$/.test(line))).toEqual([]);
  expect(lines.filter((line, index) => index > 0 && line <= (lines[index - 1] ?? ''))).toEqual([]);
});
