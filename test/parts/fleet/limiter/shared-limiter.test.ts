import { describe, expect, test } from 'bun:test';
import { createSharedLimiter, type SharedWindows } from '#src/parts/fleet/limiter/shared-limiter.ts';
import { createRateLimiter } from '#src/service/server/limiter/local-limiter.ts';
import { WINDOW_MS } from '#src/service/server/limiter/rate-limit.ts';
import { client, testLimiterLaws } from '#test/service/server/limiter/limiter-laws.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { createRandom } from '#test/support/random.ts';

const clock = createHeldClock();

/** Windows as their definition says it, in the memory of this process. */
function createWindows() {
  const taken = new Map<string, number[]>();
  const windows = {
    isUnavailable: false as boolean,
    /** Null where nobody answers in time. */
    answers: true,
    questions: 0,
    forget: () => taken.clear(),
    async take(wanted, places = 1) {
      windows.questions++;
      if (!windows.answers) return null;
      const times = wanted.map(({ name }) => (taken.get(name) ?? []).filter((atMs) => atMs > clock.nowMs - WINDOW_MS));
      const left = wanted.map(({ limit }, at) => limit - (times[at]?.length ?? 0));
      const admitted = Math.max(0, Math.min(places, ...left));
      for (const [at, { name }] of wanted.entries())
        taken.set(name, [...(times[at] ?? []), ...Array.from({ length: admitted }, () => clock.nowMs)]);
      return {
        places: admitted,
        isAdmitted: admitted > 0,
        windows: times.map((all) => ({
          taken: all.length,
          freeInMs: (all[0] ?? clock.nowMs) + WINDOW_MS - clock.nowMs,
        })),
      };
    },
  } satisfies SharedWindows & Record<string, unknown>;
  return windows;
}

function createNode(windows: SharedWindows, options = { keys: 100, total: 0 }, life = 0) {
  const local = createRateLimiter(options);
  return createSharedLimiter({
    windows,
    local,
    nameOf: (of, key) => `${life} ${of} ${key}`,
    keys: options.keys,
    clock,
  });
}

describe('limiters of two nodes with shared windows', () => {
  const windows = createWindows();
  let created = 0;
  testLimiterLaws(() => ({
    create(options) {
      const life = created++;
      const random = createRandom(life);
      // A ceiling is that of a node.
      const nodes = [1, 2].slice(options.total > 0 ? 1 : 0).map(() => createNode(windows, options, life));
      return {
        admit: (asker, nowMs) => random.pick(nodes).admit(asker, nowMs),
        admitMany: (asker, nowMs, count) => random.pick(nodes).admitMany(asker, nowMs, count),
        setTotal(total) {
          for (const node of nodes) node.setTotal(total);
        },
      };
    },
    setTime(nowMs) {
      clock.nowMs = nowMs;
    },
    rounds: 12,
    isThorough: false,
  }));
});

describe('a limiter with shared windows', () => {
  test('queries the windows once per admitted request, and once for a series of refused ones', async () => {
    const windows = createWindows();
    const [node, other] = [createNode(windows), createNode(windows)];
    await other.admitMany(client('a', 10), clock.nowMs, 5);
    for (let n = 0; n < 5; n++) expect((await node.admit(client('a', 10), clock.nowMs)).refusedBy).toBeNull();
    expect(windows.questions).toBe(6);
    for (let n = 0; n < 20; n++) expect((await node.admit(client('a', 10), clock.nowMs)).refusedBy).toBe('client');
    expect(windows.questions).toBe(7);
    expect(node.admit({ key: 'b', limit: 0, network: null }, clock.nowMs)).not.toBeInstanceOf(Promise);
  });

  test('takes the places of a batch with one query, as many as client and network have left', async () => {
    const windows = createWindows();
    const [node, other] = [createNode(windows), createNode(windows)];
    await other.admitMany(client('a', 50), clock.nowMs, 5);
    const { places, answer } = await node.admitMany(client('a', 50), clock.nowMs, 40);
    expect([places, answer.refusedBy, answer.remaining]).toEqual([40, null, 5]);
    expect(windows.questions).toBe(2);
    const rest = await node.admitMany(client('a', 50), clock.nowMs, 40);
    expect([rest.places, rest.answer.refusedBy, rest.answer.remaining]).toEqual([5, 'client', 0]);
    const narrow = { key: 'b', limit: 50, network: { key: 'net', limit: 7 } };
    expect(await node.admitMany(narrow, clock.nowMs, 40)).toMatchObject({
      places: 7,
      answer: { refusedBy: 'network' },
    });
  });

  test('continues from its own admissions while the windows are unavailable', async () => {
    const windows = createWindows();
    const node = createNode(windows);
    const admit = async () => (await node.admit(client('a', 4), clock.nowMs)).refusedBy === null;
    expect([await admit(), await admit()]).toEqual([true, true]);
    windows.isUnavailable = true;
    expect(node.admit(client('b', 4), clock.nowMs)).not.toBeInstanceOf(Promise);
    expect([await admit(), await admit(), await admit()]).toEqual([true, true, false]);
    expect(windows.questions).toBe(2);
  });

  test('decides locally, by the current time, if no answer arrives in time', async () => {
    const windows = createWindows();
    const node = createNode(windows);
    windows.answers = false;
    const nowMs = clock.nowMs;
    const { places, answer } = await node.admitMany(client('a', 4), nowMs, 6);
    expect([places, answer.refusedBy, answer.freeInMs]).toEqual([4, 'client', WINDOW_MS]);
  });

  test('never admits more than the limit by itself, even if the windows lose their data', async () => {
    const windows = createWindows();
    const node = createNode(windows);
    let admitted = 0;
    for (let round = 0; round < 5; round++) {
      windows.forget();
      admitted += (await node.admitMany(client('a', 20), clock.nowMs, 6)).places;
    }
    expect(admitted).toBe(20);
  });

  test('never admits more than the limit to concurrent batches, even if the windows lose their data', async () => {
    const windows = createWindows();
    const node = createNode(windows);
    await node.admitMany(client('a', 20), clock.nowMs, 18);
    windows.forget();
    const asked = [6, 6].map(async (count) => (await node.admitMany(client('a', 20), clock.nowMs, count)).places);
    expect(await Promise.all(asked)).toEqual([2, 0]);
  });

  test('refuses a client that used up its limit on this node without a query', async () => {
    const windows = createWindows();
    const node = createNode(windows);
    await node.admitMany(client('a', 5), clock.nowMs, 5);
    expect((await node.admit(client('a', 5), clock.nowMs)).refusedBy).toBe('client');
    expect(windows.questions).toBe(1);
  });

  test('frees places of the ceiling for requests that the windows refuse', async () => {
    const windows = createWindows();
    const [node, other] = [createNode(windows, { keys: 100, total: 4 }), createNode(windows)];
    await other.admitMany(client('a', 3), clock.nowMs, 2);
    expect((await node.admitMany(client('a', 3), clock.nowMs, 3)).places).toBe(1);
    expect(await node.admitMany(client('b', 9), clock.nowMs, 9)).toMatchObject({
      places: 3,
      answer: { refusedBy: 'ceiling' },
    });
  });
});
