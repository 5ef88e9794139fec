import { expect, test } from 'bun:test';
import { type Asker, type LimiterAnswer, type RateLimiter, WINDOW_MS } from '#src/service/server/limiter/rate-limit.ts';
import { createRandom } from '#test/support/random.ts';

/** A client that no network counts. */
export const client = (key: string, limit: number): Asker => ({ key, limit, network: null });

/** Limiters that are held against what every limiter promises. */
export interface LimiterSubject {
  /** One that remembers nobody yet. */
  create(options: { readonly keys: number; readonly total: number }): RateLimiter;
  /** Sets whatever clock they go by, if it is not the time that they are told; never back. */
  setTime(nowMs: number): Promise<void> | void;
  /** How many sequences of requests are tried. */
  readonly rounds: number;
  /** Whether each refusal names the later of two limits; one that comes from memory may know of one only. */
  readonly isThorough: boolean;
}

/** Both windows as their definition says it, at any cost: the times of what was admitted, and what each limit leaves. */
function createNaiveLimiter() {
  const admitted: { readonly keys: readonly string[]; readonly atMs: number }[] = [];
  return ({ key, limit, network }: Asker, nowMs: number) => {
    const limits = [{ of: 'client', key, limit }, ...(network ? [{ of: 'network', ...network }] : [])];
    const rooms = limits.map((one) => {
      const taken = admitted.filter(({ keys, atMs }) => keys.includes(one.key) && atMs > nowMs - WINDOW_MS);
      return { of: one.of, left: one.limit - taken.length, freeAtMs: (taken[0]?.atMs ?? nowMs) + WINDOW_MS };
    });
    const least = Math.min(...rooms.map(({ left }) => left));
    if (least > 0) admitted.push({ keys: limits.map((one) => one.key), atMs: nowMs });
    return { isAdmitted: least > 0, rooms, least };
  };
}

type ByDefinition = ReturnType<ReturnType<typeof createNaiveLimiter>>;

/** Holds an answer against the definition. */
function expectAsDefined(
  answer: LimiterAnswer,
  { isAdmitted, rooms, least }: ByDefinition,
  nowMs: number,
  isThorough: boolean,
) {
  const { refusedBy, nearest, remaining, freeInMs } = answer;
  expect([refusedBy === null, remaining]).toEqual([isAdmitted, Math.max(0, least - 1)]);
  const tightest = rooms.filter(({ left }) => left === least);
  const latestMs = Math.max(...tightest.map(({ freeAtMs }) => freeAtMs));
  const said = rooms.find(({ of }) => of === nearest?.of);
  expect(nowMs + freeInMs).toBe(said?.freeAtMs ?? Number.NaN);
  if (isAdmitted || isThorough) expect([said?.left, said?.freeAtMs]).toEqual([least, latestMs]);
  else expect(said?.left).toBeLessThanOrEqual(0);
  if (!isAdmitted) expect(refusedBy).toBe(nearest?.of ?? 'ceiling');
}

/** What every limiter promises. */
export function testLimiterLaws(subjectOf: () => LimiterSubject): void {
  test.each([
    ['with limits of their own alone', () => null],
    ['with networks beside them', (n: number) => ({ key: `network ${n % 3}`, limit: 3 + (n % 3) * 4 })],
  ])(
    'any sequence of requests is answered by the definition of the window, %s',
    async (_, networkOf) => {
      const { create, setTime, rounds, isThorough } = subjectOf();
      const seenNearest = new Set<string>();
      let nowMs = 0;
      for (let seed = 1; seed <= rounds; seed++) {
        const random = createRandom(seed);
        const limiter = create({ keys: 8, total: 0 });
        const naive = createNaiveLimiter();
        const clients = Array.from({ length: 8 }, (_, n) => ({
          key: `client ${n}`,
          limit: 1 + random.below(6),
          network: networkOf(n),
        }));
        const strideMs = [10, 1000, 5000, 20_000][seed % 4] ?? 1;
        for (let n = 0; n < 400; n++) {
          nowMs += random.below(10) === 0 ? random.below(3) * (WINDOW_MS / 2) : random.below(strideMs);
          await setTime(nowMs);
          const asker = random.pick(clients);
          const answer = await limiter.admit(asker, nowMs);
          expectAsDefined(answer, naive(asker, nowMs), nowMs, isThorough);
          seenNearest.add(`${answer.nearest?.of} ${answer.refusedBy !== null}`);
        }
      }
      expect(seenNearest.size).toBe(networkOf(0) ? 4 : 2);
    },
    60_000,
  );

  test('a client is admitted after the returned wait, and not a millisecond earlier', async () => {
    const { create, setTime } = subjectOf();
    const limiter = create({ keys: 10, total: 0 });
    const admit = async (atMs: number) => {
      await setTime(atMs);
      return await limiter.admit(client('a', 3), atMs);
    };
    const startMs = 10 ** 9;
    for (const atMs of [0, 7000, 9000]) await admit(startMs + atMs);
    const { refusedBy, freeInMs } = await admit(startMs + 20_000);
    expect(refusedBy).toBe('client');
    expect((await admit(startMs + 20_000 + freeInMs - 1)).refusedBy).toBe('client');
    expect((await admit(startMs + 20_000 + freeInMs)).refusedBy).toBeNull();
  });

  test('simultaneous requests are admitted up to the number of free places', async () => {
    const { create, setTime } = subjectOf();
    await setTime(2 * 10 ** 9);
    const limiter = create({ keys: 10, total: 0 });
    const asked = Array.from({ length: 50 }, () => limiter.admit(client('a', 7), 2 * 10 ** 9));
    const answers = await Promise.all(asked);
    expect(answers.filter(({ refusedBy }) => refusedBy === null).length).toBe(7);
  });

  test('a request for several places is admitted like as many single requests', async () => {
    const { create, setTime } = subjectOf();
    let nowMs = 5 * 10 ** 9;
    await setTime(nowMs);
    const [many, single] = [create({ keys: 20, total: 0 }), create({ keys: 20, total: 0 })];
    const random = createRandom(1);
    for (let n = 0; n < 200; n++) {
      nowMs += random.below(20_000);
      await setTime(nowMs);
      const network = n % 2 === 0 ? null : { key: 'net', limit: 9 };
      const asker = { key: `client ${n % 3}`, limit: 4 + (n % 3) * 5, network };
      const count = 1 + random.below(12);
      const { places, answer } = await many.admitMany(asker, nowMs, count);
      const answers: LimiterAnswer[] = [];
      while (answers.length < count && !answers.at(-1)?.refusedBy) answers.push(await single.admit(asker, nowMs));
      expect(places).toBe(answers.filter(({ refusedBy }) => refusedBy === null).length);
      const { refusedBy, remaining, freeInMs } = answers.at(-1) ?? answer;
      expect([answer.refusedBy === null, answer.remaining]).toEqual([refusedBy === null, remaining]);
      if (answer.refusedBy === refusedBy) expect(answer.freeInMs).toBe(freeInMs);
    }
  });

  test('a client without a limit is always admitted, and no limit is returned', async () => {
    const limiter = subjectOf().create({ keys: 10, total: 0 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => limiter.admit(client('a', 0), 0)));
    const told = { refusedBy: null, nearest: null, remaining: Number.POSITIVE_INFINITY, freeInMs: 0 };
    expect(answers).toEqual(answers.map(() => told));
  });

  test('a raised or lowered limit applies at once', async () => {
    const { create, setTime } = subjectOf();
    await setTime(3 * 10 ** 9);
    const limiter = create({ keys: 10, total: 0 });
    const refusals: boolean[] = [];
    for (const limit of [2, 2, 2, 4, 4, 4, 3]) {
      refusals.push((await limiter.admit(client('a', limit), 3 * 10 ** 9)).refusedBy !== null);
    }
    expect(refusals).toEqual([false, false, true, false, false, true, true]);
  });

  test('no window of a minute exceeds the ceiling, and a refused request takes no place', async () => {
    const { create, setTime, rounds } = subjectOf();
    let nowMs = 4 * 10 ** 9;
    for (let seed = 1; seed <= Math.ceil(rounds / 3); seed++) {
      const random = createRandom(seed);
      const total = 1 + random.below(40);
      const limiter = create({ keys: 100, total });
      let admitted: number[] = [];
      nowMs += 2 * WINDOW_MS;
      for (let n = 0; n < 2000; n++) {
        nowMs += random.below(800);
        await setTime(nowMs);
        const limit = [0, 2, 1000][n % 3] ?? 0;
        const { refusedBy, freeInMs } = await limiter.admit(client(`client ${n % 90}`, limit), nowMs);
        admitted = admitted.filter((atMs) => atMs > nowMs - WINDOW_MS - 100);
        const inWindow = admitted.filter((atMs) => atMs > nowMs - WINDOW_MS).length;
        if (refusedBy === null) admitted.push(nowMs);
        expect(inWindow + (refusedBy === null ? 1 : 0)).toBeLessThanOrEqual(total);
        if (refusedBy !== 'ceiling') continue;
        expect([freeInMs > 0, freeInMs <= WINDOW_MS + 100]).toEqual([true, true]);
        // A place comes free at most a tenth of a second late.
        expect(admitted.length).toBeGreaterThanOrEqual(total);
      }
    }
  });
}
