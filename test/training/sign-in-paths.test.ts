import { describe, expect, test } from 'bun:test';
import type { Row } from '#src/training/data/dataset.ts';
import { FOLDS } from '#src/training/data/folds.ts';
import { partOf } from '#src/training/data/prepare.ts';
import { isWayIn, SOFTWARE, WAYS_IN, waysIn } from '#src/training/data/sign-in-paths.ts';
import { FITS } from '#src/training/fit/logistic.ts';
import { rowWeights } from '#src/training/fit/weights.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { madeUpRows } from './synthetic-rows.ts';

const rows = madeUpRows(60);
const benign = rows.filter(({ phishing }) => !phishing);
const all = { software: SOFTWARE, source: WAYS_IN.known, without: new Set<string>(), oneIn: 1 };

const rowOf = (canon: string, more: Partial<Row> = {}): Row => {
  const site = canon.split('/', 1)[0] ?? '';
  return { phishing: false, source: 'made up', date: '2025-01-01', canon, site, hosted: false, bare: false, ...more };
};

describe('ways in', () => {
  test('are addresses of software, each once, and every part of the sites has some in each fold and out of it', () => {
    const addresses = SOFTWARE.flatMap((software) => software.addresses);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (let part = 0; part < FITS; part++) {
      const turns = SOFTWARE.filter((software) => software.part === part).map(({ turn }) => turn % FOLDS.length);
      expect(new Set(turns).size).toBe(FOLDS.length);
    }
  });

  test('are one URL for each host on an own domain, with software that its part of the sites may have', () => {
    const made = waysIn(benign, all);
    const hosts = new Set(benign.map(({ site }) => site));
    expect(made.length).toBe(hosts.size);
    for (const { canon, site, phishing, bare, source } of made) {
      const target = parseTarget(`http://${canon}`);
      expect(isTargetProblem(target)).toBe(false);
      expect({ phishing, source }).toEqual({ phishing: false, source: WAYS_IN.known });
      expect(canon).toStartWith(bare ? `webmail.${site}` : site);
      const behind = canon.slice(site.length).replaceAll(site, '{host}');
      const owner = SOFTWARE.find((software) => software.addresses.includes(bare ? 'webmail.' : behind));
      expect(owner?.part).toBe(partOf(site));
      expect(isWayIn(canon)).toBe(!bare && !behind.includes('{host}'));
    }
  });

  test('are not made for platforms, addresses of the network, or sites that are ruled out, and keep their label', () => {
    const given = [
      rowOf('my-garden.platform.example', { hosted: true }),
      rowOf('192.0.2.7/map'),
      rowOf('known.example/about'),
    ];
    expect(waysIn(given, { ...all, without: new Set(['known.example']) })).toEqual([]);
    expect(waysIn(given, { ...all, software: [] })).toEqual([]);
    expect(waysIn(given, all).map(({ site }) => site)).toEqual(['known.example']);
    const { source: _, ...alike } = all;
    const [made] = waysIn([rowOf('bad.example', { phishing: true })], alike);
    expect(made).toMatchObject({ phishing: true, source: 'made up', site: 'bad.example' });
  });

  test('are for one host in as many as asked, and weigh about 0.008 of all that is benign', () => {
    const made = waysIn(benign, all);
    const fewer = waysIn(benign, { ...all, oneIn: 4 });
    expect(fewer.length).toBeGreaterThan(made.length / 8);
    expect(fewer.length).toBeLessThan(made.length / 2);
    const fit = [...rows, ...made];
    const weights = rowWeights(fit, false);
    const weighed = (isChosen: (row: Row) => boolean) =>
      weights.reduce((sum, weight, row) => sum + (fit[row] && isChosen(fit[row]) ? weight : 0), 0);
    const share = weighed(({ source }) => source === WAYS_IN.known) / weighed(({ phishing }) => !phishing);
    expect(share).toBeGreaterThan(0.006);
    expect(share).toBeLessThan(0.01);
  });
});
