import { describe, expect, test } from 'bun:test';
import type { Row } from '#src/training/data/dataset.ts';
import { expectedSites, MAX_RATIO, MOVED_NAMES, movedNames } from '#src/training/data/moved-names.ts';
import { prepare } from '#src/training/data/prepare.ts';
import { rowWeights } from '#src/training/fit/weights.ts';
import { knowledge } from '#test/support/knowledge.ts';

const rowOf = (canon: string, phishing: boolean): Row => {
  const site = canon.split('/', 1)[0] ?? '';
  return { phishing, source: phishing ? 'feed' : 'list', date: '', canon, site, hosted: false, bare: canon === site };
};
const honest = Array.from({ length: 400 }, (_, index) => rowOf(`garten${index}.de/verein`, false));
const lures = Array.from({ length: 200 }, (_, index) =>
  rowOf(`konto${index}.${index % 2 ? 'icu' : 'weebly.com'}`, true),
);

describe('the number of honest sites expected under a suffix', () => {
  const all = { suffix: '', phishing: 1000, honest: 1000 };
  const few = { phishing: 500, honest: 3 };

  test('keeps the contribution of a suffix within its bound, which is lower for platforms', () => {
    const suffix = expectedSites({ suffix: 'quest', ...few }, all, 'suffix');
    const platform = expectedSites({ suffix: 'weebly.com', ...few }, all, 'platform');
    expect(few.phishing / suffix).toBeLessThanOrEqual(MAX_RATIO.suffix);
    expect(few.phishing / platform).toBeLessThanOrEqual(MAX_RATIO.platform);
    expect(platform).toBeGreaterThan(suffix);
    expect(Math.log(MAX_RATIO.suffix)).toBeLessThanOrEqual(3);
  });

  test('is at least the published and the collected number', () => {
    const none = { phishing: 0, honest: 0 };
    expect(expectedSites({ suffix: 'shop', ...none }, all, 'suffix')).toBeGreaterThan(0);
    expect(expectedSites({ suffix: 'quest', ...none }, all, 'suffix')).toBe(0);
    expect(expectedSites({ suffix: 'quest', phishing: 0, honest: 77 }, all, 'suffix')).toBe(77);
  });
});

describe('moved names', () => {
  const made = movedNames(prepare([...honest, ...lures], knowledge), knowledge);

  test('are added where honest rows are missing, with their paths, and stay in the part of their own site', () => {
    const suffixes = new Set(made.map(({ canon }) => canon.split('/', 1)[0]?.replace(/^[^.]+\./, '')));
    expect(suffixes).toEqual(new Set(['icu', 'weebly.com']));
    for (const { canon, site, source, phishing, bare } of made) {
      expect({ source, phishing, bare }).toEqual({ source: MOVED_NAMES, phishing: false, bare: false });
      expect(canon).toEndWith('/verein');
      expect(canon.split('.', 1)[0]).toBe(site.split('.', 1)[0] ?? '');
    }
  });

  test('are not of a brand, a popular site or a platform’s user', () => {
    const names = ['paypal-verein.de', 'wikipedia.org', 'user.github.io', 'verein.go.id'].map((name) =>
      rowOf(name, false),
    );
    expect(movedNames(prepare([...names, ...lures], knowledge), knowledge)).toEqual([]);
  });

  test('have the mean weight of collected rows', () => {
    const rows = [...honest, ...lures, ...made];
    const weights = rowWeights(rows, false);
    const meanOf = (source: string) => {
      const of = [...weights].filter((_, index) => rows[index]?.source === source);
      return of.reduce((sum, weight) => sum + weight, 0) / of.length;
    };
    expect(meanOf(MOVED_NAMES)).toBeCloseTo(meanOf('list'), 3);
  });
});
