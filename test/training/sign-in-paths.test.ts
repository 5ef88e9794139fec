import { describe, expect, test } from 'bun:test';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { Row } from '#src/training/data/dataset.ts';
import { FOLDS } from '#src/training/data/folds.ts';
import { partOf } from '#src/training/data/prepare.ts';
import { isSignInPath, SIGN_IN_SOURCES, SOFTWARE, signInRows } from '#src/training/data/sign-in-paths.ts';
import { FITS } from '#src/training/fit/logistic.ts';
import { rowWeights } from '#src/training/fit/weights.ts';
import { syntheticRows } from './synthetic-rows.ts';

const rows = syntheticRows(60);
const benign = rows.filter(({ phishing }) => !phishing);
const all = { software: SOFTWARE, source: SIGN_IN_SOURCES.known, without: new Set<string>(), oneIn: 1 };

const rowOf = (canon: string, more: Partial<Row> = {}): Row => {
  const site = canon.split('/', 1)[0] ?? '';
  return { phishing: false, source: 'synthetic', date: '2025-01-01', canon, site, hosted: false, bare: false, ...more };
};

describe('sign-in paths', () => {
  test('are distinct, and every part of the sites has some inside and outside of each fold', () => {
    const addresses = SOFTWARE.flatMap((software) => software.addresses);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (let part = 0; part < FITS; part++) {
      const turns = SOFTWARE.filter((software) => software.part === part).map(({ turn }) => turn % FOLDS.length);
      expect(new Set(turns).size).toBe(FOLDS.length);
    }
  });

  test('are one URL per host on its own domain, with software of its part', () => {
    const made = signInRows(benign, all);
    const hosts = new Set(benign.map(({ site }) => site));
    expect(made.length).toBe(hosts.size);
    for (const { canon, site, phishing, bare, source } of made) {
      const target = parseTarget(`http://${canon}`);
      expect(isTargetProblem(target)).toBe(false);
      expect({ phishing, source }).toEqual({ phishing: false, source: SIGN_IN_SOURCES.known });
      expect(canon).toStartWith(bare ? `webmail.${site}` : site);
      const behind = canon.slice(site.length).replaceAll(site, '{host}');
      const owner = SOFTWARE.find((software) => software.addresses.includes(bare ? 'webmail.' : behind));
      expect(owner?.part).toBe(partOf(site));
      expect(isSignInPath(canon)).toBe(!bare && !behind.includes('{host}'));
    }
  });

  test('exclude platforms, IP addresses and excluded sites, and keep their label', () => {
    const given = [
      rowOf('my-garden.platform.example', { hosted: true }),
      rowOf('192.0.2.7/map'),
      rowOf('known.example/about'),
    ];
    expect(signInRows(given, { ...all, without: new Set(['known.example']) })).toEqual([]);
    expect(signInRows(given, { ...all, software: [] })).toEqual([]);
    expect(signInRows(given, all).map(({ site }) => site)).toEqual(['known.example']);
    const { source: _, ...alike } = all;
    const [made] = signInRows([rowOf('bad.example', { phishing: true })], alike);
    expect(made).toMatchObject({ phishing: true, source: 'synthetic', site: 'bad.example' });
  });

  test('are for the requested share of hosts, and have about 0.008 of the benign weight', () => {
    const made = signInRows(benign, all);
    const fewer = signInRows(benign, { ...all, oneIn: 4 });
    expect(fewer.length).toBeGreaterThan(made.length / 8);
    expect(fewer.length).toBeLessThan(made.length / 2);
    const fit = [...rows, ...made];
    const weights = rowWeights(fit, false);
    const weighed = (isChosen: (row: Row) => boolean) =>
      weights.reduce((sum, weight, row) => sum + (fit[row] && isChosen(fit[row]) ? weight : 0), 0);
    const share = weighed(({ source }) => source === SIGN_IN_SOURCES.known) / weighed(({ phishing }) => !phishing);
    expect(share).toBeGreaterThan(0.006);
    expect(share).toBeLessThan(0.01);
  });
});
