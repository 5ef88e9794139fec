import { describe, expect, test } from 'bun:test';
import { UnavailableError } from '#src/base/refusal.ts';
import { createAdmission } from '#src/check/admission.ts';

/** Tasks that end when they are told to. */
function createTasks() {
  const gates = new Map<string, PromiseWithResolvers<string>>();
  const started: string[] = [];
  return {
    started,
    task: (name: string) => async () => {
      started.push(name);
      const gate = Promise.withResolvers<string>();
      gates.set(name, gate);
      return await gate.promise;
    },
    finish: (name: string) => gates.get(name)?.resolve(name),
    fail: (name: string) => gates.get(name)?.reject(new Error(name)),
  };
}

/** A clock that stands still until it is moved. */
function createHeldClock() {
  const clock = { nowMs: 0, now: () => 0, monotonicMs: () => clock.nowMs };
  return clock;
}

const BOUNDS = { check_concurrency: 2, client_concurrency: 2, queue_length: 20, deadline_seconds: 600 };
const by = (client: string | null, key: string) => ({ key, client });

describe('admission', () => {
  test('runs no more than its bound at a time, and the others in the order in which they came', async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>(BOUNDS, createHeldClock());
    const results = ['a', 'b', 'c', 'd'].map((name) => admission.run(by(null, name), task(name)));
    expect(started).toEqual(['a', 'b']);
    finish('b');
    expect(await results[1]).toBe('b');
    await Promise.resolve();
    expect(started).toEqual(['a', 'b', 'c']);
    finish('a');
    finish('c');
    await results[2];
    finish('d');
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('does not make one client wait for what others asked for', async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>(BOUNDS, createHeldClock());
    const slow = ['a1', 'a2', 'a3', 'a4'].map((name) => admission.run(by('a', name), task(name)));
    const other = admission.run(by('b', 'b1'), task('b1'));
    expect(started).toEqual(['a1', 'a2', 'b1']);
    finish('b1');
    expect(await other).toBe('b1');
    for (const name of ['a1', 'a2', 'a3', 'a4']) {
      while (!started.includes(name)) await Promise.resolve();
      finish(name);
    }
    await Promise.all(slow);
  });

  test('starts the check of a seventh client at once, beside six with twenty slow ones each', async () => {
    const { task, started, finish } = createTasks();
    const bounds = { check_concurrency: 16, client_concurrency: 4, queue_length: 100, deadline_seconds: 600 };
    const admission = createAdmission<string>(bounds, createHeldClock());
    const refused: number[] = [];
    for (let i = 0; i < 120; i++) {
      admission.run(by(`client ${i % 6}`, `slow ${i}`), task(`slow ${i}`)).catch(() => refused.push(i));
    }
    const good = admission.run(by('a seventh', 'good'), task('good'));
    expect(started.at(-1)).toBe('good');
    finish('good');
    expect(await good).toBe('good');
    // Sixteen look, a hundred wait, and the rest was told at once.
    expect(started).toHaveLength(17);
    expect(refused).toEqual([116, 117, 118, 119]);
  });

  test('runs a task once for all who ask for it while it is under way, and anew afterwards', async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>({ ...BOUNDS, check_concurrency: 1, queue_length: 0 }, createHeldClock());
    const shared = ['x', 'y', null].map((client) => admission.run(by(client, 'a'), task('a')));
    finish('a');
    expect(await Promise.all(shared)).toEqual(['a', 'a', 'a']);
    expect(started).toEqual(['a']);
    const again = admission.run(by('x', 'a'), task('a'));
    expect(started).toEqual(['a', 'a']);
    finish('a');
    await again;
  });

  test('lets a task that waits in vain in one queue be answered out of another', async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>({ ...BOUNDS, client_concurrency: 1 }, createHeldClock());
    const first = admission.run(by('a', 'long'), task('long'));
    const waits = admission.run(by('a', 'same'), task('same'));
    const other = admission.run(by('b', 'same'), task('same'));
    expect(started).toEqual(['long', 'same']);
    finish('same');
    expect(await other).toBe('same');
    finish('long');
    await first;
    while (started.length < 3) await Promise.resolve();
    finish('same');
    expect(await waits).toBe('same');
  });

  test('refuses what does not fit into the queue, with a time to come back', async () => {
    const { task, finish } = createTasks();
    const bounds = { ...BOUNDS, check_concurrency: 1, client_concurrency: 1, queue_length: 4 };
    const admission = createAdmission<string>(bounds, createHeldClock());
    // A client may fill a quarter of the queue.
    const admitted = [admission.run(by('a', 'a'), task('a')), admission.run(by('a', 'b'), task('b'))];
    const refused = await admission.run(by('a', 'c'), task('c')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnavailableError);
    expect(refused).toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    finish('a');
    await admitted[0];
    finish('b');
    await admitted[1];
  });

  test('refuses at once whose turn would come too late, and says when to come back', async () => {
    const { task, started, finish } = createTasks();
    const clock = createHeldClock();
    const admission = createAdmission<string>({ ...BOUNDS, client_concurrency: 1, deadline_seconds: 8 }, clock);
    for (let i = 0; i < 40; i++) {
      const looked = admission.run(by('a', `${i}`), task(`${i}`));
      clock.nowMs += 8000;
      finish(`${i}`);
      await looked;
    }
    const slow = admission.run(by('a', 'slow'), task('slow'));
    const refused = await admission.run(by('a', 'late'), task('late')).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'overloaded', retryAfterSeconds: 8 });
    expect(started).not.toContain('late');
    finish('slow');
    await slow;
  });

  test('refuses who has waited for half of its time, without having looked', async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>(
      { ...BOUNDS, client_concurrency: 1, deadline_seconds: 0.02 },
      createHeldClock(),
    );
    const first = admission.run(by('a', 'first'), task('first'));
    const refused = await admission.run(by('a', 'late'), task('late')).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'overloaded' });
    finish('first');
    expect(await first).toBe('first');
    expect(started).toEqual(['first']);
  });

  test('counts the deadline from the beginning of the wait, but for the operator', async () => {
    const clock = createHeldClock();
    const { task, finish } = createTasks();
    for (const [client, leftMs] of [
      ['a', 5000],
      [null, 8000],
    ] as const) {
      const bounds = { ...BOUNDS, check_concurrency: 1, client_concurrency: 1, deadline_seconds: 8 };
      const admission = createAdmission<string>(bounds, clock);
      const first = admission.run(by(client, 'first'), task('first'));
      const second = admission.run(by(client, 'second'), (left) => Promise.resolve(`${left}`));
      clock.nowMs += 3000;
      finish('first');
      await first;
      expect(await second).toBe(`${leftMs}`);
    }
  });

  test('gives the place of a task that failed to the next one', async () => {
    const { task, fail, finish, started } = createTasks();
    const admission = createAdmission<string>({ ...BOUNDS, check_concurrency: 1 }, createHeldClock());
    const failed = admission.run(by(null, 'a'), task('a')).catch((error: Error) => error.message);
    const next = admission.run(by(null, 'b'), task('b'));
    fail('a');
    expect(await failed).toBe('a');
    while (!started.includes('b')) await Promise.resolve();
    finish('b');
    expect(await next).toBe('b');
  });
});
