import { expect, test } from 'bun:test';
import { createVisits } from '#src/service/server/limiter/sliding-window.ts';
import { createRandom } from '#test/support/random.ts';

test('stores the times of each client in order while clients and times are added and removed', () => {
  const random = createRandom(5);
  const visits = createVisits();
  const naive = new Map<string, number[]>();
  for (let step = 0; step < 20_000; step++) {
    const key = `client ${random.below(1 + step / 100)}`;
    const times = naive.getOrInsertComputed(key, () => []);
    const place = visits.find(key) ?? visits.add(key);
    expect(visits.find(key)).toBe(place);
    if (random.below(5) < 2) {
      visits.dropOldest(place);
      times.shift();
    } else {
      visits.push(place, step);
      times.push(step);
    }
    expect([visits.count(place), visits.oldest(place)]).toEqual([times.length, times[0] ?? Number.POSITIVE_INFINITY]);
  }
  expect(visits.size).toBe(naive.size);
  for (const [key, times] of naive) {
    const place = visits.find(key) ?? -1;
    const held = times.map(() => {
      const oldest = visits.oldest(place);
      visits.dropOldest(place);
      return oldest;
    });
    expect([key, held]).toEqual([key, times]);
    for (let more = 0; more < 2; more++) visits.dropOldest(place);
    expect([visits.count(place), visits.oldest(place)]).toEqual([0, Number.POSITIVE_INFINITY]);
  }
  expect(visits.find('nobody')).toBeUndefined();
});
