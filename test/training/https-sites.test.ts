import { expect, test } from 'bun:test';
import { parseHost } from '#src/core/url/host.ts';
import { honestNames, readHttpsSites } from '#src/training/data/https-sites.ts';
import { syntheticRows } from './synthetic-rows.ts';

test('the list contains only hosts, each once', async () => {
  const names = (await readHttpsSites()) ?? [];
  expect(names.length).toBeGreaterThan(100_000);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => parseHost(name)?.text !== name)).toEqual([]);
});

test('excludes names that are tested, known for phishing, popular, or already in the fit', () => {
  const rows = syntheticRows(5);
  const [phishing, benign] = [rows.find((row) => row.phishing), rows.find((row) => !row.phishing)];
  const fit = [{ site: 'seen.example', canon: 'seen.example', bare: true }].map((row) => ({ ...rows[0], ...row }));
  const names = [phishing?.site ?? '', benign?.site ?? '', 'shop.tested.org', 'popular.com', 'seen.example', 'new.org'];
  const chosen = honestNames(names, {
    fit: fit as typeof rows,
    rows,
    tested: new Set(['tested.org']),
    popularity: [{ site: 'popular.com', label: 'popular', rank: 1 }],
  });
  expect(chosen.map(({ canon }) => canon)).toEqual([benign?.site ?? '', 'new.org']);
  expect(chosen.filter((row) => row.phishing || !row.bare)).toEqual([]);
});
