import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '#src/core/base/clock.ts';
import { createWitnesses } from '#src/engine/campaigns/campaigns.ts';
import { createRandom } from '#src/training/data/random.ts';

const NOW = Date.UTC(2026, 5, 15, 12);
const TRAIT = 7;
const ELSEWHERE = -1;

describe('sightings', () => {
  test('count other sites, and report the first day', () => {
    const witnesses = createWitnesses(10);
    expect(witnesses.beside(TRAIT, ELSEWHERE, NOW)).toBeNull();
    witnesses.add(TRAIT, { site: 1, network: 1, atMs: NOW - 2 * DAY_MS });
    witnesses.add(TRAIT, { site: 2, network: 2, atMs: NOW });
    expect(witnesses.beside(TRAIT, ELSEWHERE, NOW)).toEqual({ sites: 2, since: '2026-06-13' });
    expect(witnesses.beside(TRAIT, 1, NOW)).toEqual({ sites: 1, since: '2026-06-15' });
    expect(witnesses.beside(TRAIT + 1, ELSEWHERE, NOW)).toBeNull();
  });

  test('are bounded by the number of networks and the number of sites', () => {
    const random = createRandom(1);
    for (let round = 0; round < 200; round++) {
      const witnesses = createWitnesses(10);
      const [sites, networks] = [1 + Math.floor(random() * 9), 1 + Math.floor(random() * 9)];
      for (let i = 0; i < 60; i++) {
        const [site, network] = [Math.floor(random() * sites), Math.floor(random() * networks)];
        witnesses.add(TRAIT, { site, network, atMs: NOW });
      }
      const seen = witnesses.beside(TRAIT, ELSEWHERE, NOW)?.sites ?? 0;
      expect(seen).toBeLessThanOrEqual(Math.min(sites, networks));
      expect(seen).toBeGreaterThan(0);
    }
  });

  test('expire after a week', () => {
    const witnesses = createWitnesses(10);
    witnesses.add(TRAIT, { site: 1, network: 1, atMs: NOW });
    expect(witnesses.beside(TRAIT, ELSEWHERE, NOW + 7 * DAY_MS - 1)?.sites).toBe(1);
    expect(witnesses.beside(TRAIT, ELSEWHERE, NOW + 7 * DAY_MS)).toBeNull();
    // Who was counted then may be counted again.
    witnesses.add(TRAIT, { site: 1, network: 1, atMs: NOW + 8 * DAY_MS });
    expect(witnesses.beside(TRAIT, ELSEWHERE, NOW + 8 * DAY_MS)).toEqual({ sites: 1, since: '2026-06-23' });
  });

  test('are bounded, and one network with many new traits cannot evict the traits of several networks', () => {
    const witnesses = createWitnesses(100);
    witnesses.add(TRAIT, { site: 1, network: 1, atMs: NOW });
    witnesses.add(TRAIT, { site: 2, network: 2, atMs: NOW });
    for (let trait = 100; trait < 5000; trait++) witnesses.add(trait, { site: trait, network: 3, atMs: NOW });
    expect(witnesses.beside(TRAIT, ELSEWHERE, NOW)?.sites).toBe(2);
    for (let trait = 100; trait < 5000; trait++) {
      for (const network of [4, 5, 6]) witnesses.add(trait, { site: trait + network * 1e4, network, atMs: NOW });
    }
    for (let trait = 5000; trait < 6000; trait++) witnesses.add(trait, { site: 3, network: 3, atMs: NOW });
    expect(witnesses.size).toBe(200);
  });
});
