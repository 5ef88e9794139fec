import { beforeAll, expect, test } from 'bun:test';
import { type Static, Type } from '@sinclair/typebox';
import { CheckResultSchema } from '#src/checks/record/check-result.ts';
import { missesOf } from '#test/lab/check-lab.ts';
import { labSites } from '#test/lab/sites.ts';
import { executable } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { PUBLIC } from '#test/support/place.ts';
import { runInNamespace } from './namespace.ts';

const sites = labSites('com', Date.now());
const Printed = Type.Object({
  results: Type.Record(Type.String(), CheckResultSchema),
  visits: Type.Array(Type.String()),
});
let printed: Static<typeof Printed> = { results: {}, visits: [] };

beforeAll(async () => {
  // Inside the namespace nothing can be downloaded that a build might want.
  await executable();
  const addresses = Object.keys(sites).map((_, index) => PUBLIC.siteAddress(index));
  const output = await runInNamespace('lab-inside.ts', {
    addresses: [PUBLIC.resolver, PUBLIC.registry, ...addresses],
  });
  printed = parseAs(Printed, output);
});

test.each(Object.entries(sites).map(([name, site]) => [name, site.about, site] as const))(
  'at public addresses and ports, with only a resolver and an authority configured, %s is observed as %s',
  (name, _, site) => {
    expect(missesOf(site, printed.results[name])).toEqual([]);
  },
);

test('the registry of .com is found in the built-in tables, over RDAP and over WHOIS', () => {
  expect(printed.visits).toContain('rdap harbourbank.com');
  expect(printed.visits).toContain('whois domain oldtimes.com');
});
