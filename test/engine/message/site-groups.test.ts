import { expect, test } from 'bun:test';
import { groupBySite } from '#src/engine/message/site-groups.ts';

test('groups links by site, the most dangerous site and within it the most dangerous link first', () => {
  const links = [
    { site: 'b.example', rank: 2, probability: 0.1 },
    { site: 'a.example', rank: 1, probability: 0.6 },
    { site: 'c.example', rank: 1, probability: 0.7 },
    { site: 'a.example', rank: 0, probability: 0.9 },
    { site: 'c.example', rank: 1, probability: 0.7 },
  ];
  const groups = groupBySite(links, (link) => link).map(({ site, links: own }) => [
    site,
    ...own.map((link) => links.indexOf(link)),
  ]);
  expect(groups).toEqual([
    ['a.example', 3, 1],
    ['c.example', 2, 4],
    ['b.example', 0],
  ]);
});
