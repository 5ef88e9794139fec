import { describe, expect, test } from 'bun:test';
import { createAdmission } from '#src/checks/check/admission.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { createHeldClock } from '#test/support/held-clock.ts';

/** Tasks that the test finishes. */
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

/** Lets everything run that waits only for the event loop. */
const everythingThatCan = () => new Promise((resolve) => setImmediate(resolve));

const BOUNDS = { check_concurrency: 2, client_concurrency: 2, queue_length: 20, deadline_seconds: 600 };
const by = (client: string | null, key: string) => ({ key, client });

describe('admission', () => {
  test('runs at most the configured number at a time, the others in order of arrival', async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>(BOUNDS, createHeldClock());
    const results = ['a', 'b', 'c', 'd'].map((name) => admission.run(by(null, name), task(name)));
    expect(started).toEqual(['a', 'b']);
    finish('b');
    expect(await results[1]).toBe('b');
    await everythingThatCan();
    expect(started).toEqual(['a', 'b', 'c']);
    finish('a');
    finish('c');
    await results[2];
    finish('d');
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('does not delay one client by the requests of another', async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>(BOUNDS, createHeldClock());
    const slow = ['a1', 'a2', 'a3', 'a4'].map((name) => admission.run(by('a', name), task(name)));
    const other = admission.run(by('b', 'b1'), task('b1'));
    expect(started).toEqual(['a1', 'a2', 'b1']);
    finish('b1');
    expect(await other).toBe('b1');
    for (const name of ['a1', 'a2', 'a3', 'a4']) {
      await everythingThatCan();
      expect(started).toContain(name);
      finish(name);
    }
    await Promise.all(slow);
  });

  test('starts the check of a seventh client at once while six clients have twenty slow checks each', async () => {
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
    // Sixteen run, a hundred wait, and the rest is refused at once.
    expect(started).toHaveLength(17);
    expect(refused).toEqual([116, 117, 118, 119]);
  });

  test('runs a task once for concurrent requests with the same key, and again afterwards', async () => {
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

  test("answers a queued request from another client's run, without taking a slot", async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>({ ...BOUNDS, client_concurrency: 1 }, createHeldClock());
    const first = admission.run(by('a', 'long'), task('long'));
    const waits = admission.run(by('a', 'same'), task('same'));
    const other = admission.run(by('b', 'same'), task('same'));
    expect(started).toEqual(['long', 'same']);
    finish('long');
    await first;
    // Its turn has come, but its result is there already.
    const next = admission.run(by('a', 'next'), task('next'));
    expect(started).toEqual(['long', 'same', 'next']);
    finish('same');
    expect(await Promise.all([waits, other])).toEqual(['same', 'same']);
    finish('next');
    await next;
    expect(started).toEqual(['long', 'same', 'next']);
  });

  test('answers all queued requests with the same key from the first that runs', async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>({ ...BOUNDS, client_concurrency: 1 }, createHeldClock());
    const long = ['a', 'b', 'c'].map((client) => admission.run(by(client, `long ${client}`), task(`long ${client}`)));
    const same = ['a', 'b', 'c'].map((client) => admission.run(by(client, 'same'), task('same')));
    for (const client of ['a', 'b', 'c']) finish(`long ${client}`);
    await Promise.all(long);
    finish('same');
    expect(await Promise.all(same)).toEqual(['same', 'same', 'same']);
    expect(started).toEqual(['long a', 'long b', 'long c', 'same']);
  });

  test('refuses a request that does not fit into the queue, with a time to retry', async () => {
    const { task, finish } = createTasks();
    const bounds = { ...BOUNDS, check_concurrency: 1, client_concurrency: 1, queue_length: 3 };
    const admission = createAdmission<string>(bounds, createHeldClock());
    // A client may fill a quarter of the queue, and always one slot of it.
    const admitted = [admission.run(by('a', 'a'), task('a')), admission.run(by('a', 'b'), task('b'))];
    const refused = await admission.run(by('a', 'c'), task('c')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnavailableError);
    expect(refused).toMatchObject({ code: 'overloaded', retryAfterSeconds: 600 });
    finish('a');
    await admitted[0];
    finish('b');
    await admitted[1];
  });

  test('returns a retry time at which a slot is free: at the latest when a deadline expires', async () => {
    const { task, finish } = createTasks();
    const clock = createHeldClock();
    const bounds = { ...BOUNDS, client_concurrency: 1, queue_length: 1, deadline_seconds: 8 };
    const admission = createAdmission<string>(bounds, clock);
    const admitted = ['a', 'b', 'b'].map((name, i) => admission.run(by(name, `${name}${i}`), task(`${name}${i}`)));
    const refusal = () => admission.run(by('a', 'late'), task('late')).catch((error: unknown) => error);
    expect(await refusal()).toMatchObject({ code: 'overloaded', retryAfterSeconds: 8 });
    clock.nowMs += 5000;
    expect(await refusal()).toMatchObject({ code: 'overloaded', retryAfterSeconds: 3 });
    for (const [i, name] of ['a0', 'b1', 'b2'].entries()) {
      finish(name);
      await admitted[i];
      await everythingThatCan();
    }
  });

  describe('when observations took all of their eight seconds', () => {
    /** Creates an admission for one observation per client at a time, after several that took that long. */
    async function openSlow(observations: number) {
      const { task, started, finish } = createTasks();
      const clock = createHeldClock();
      const admission = createAdmission<string>({ ...BOUNDS, client_concurrency: 1, deadline_seconds: 8 }, clock);
      for (let i = 0; i < observations; i++) {
        const observed = admission.run(by('a', `${i}`), task(`${i}`));
        clock.nowMs += 8000;
        finish(`${i}`);
        await observed;
      }
      const slow = [by('a', 'slow'), by(null, 'slow 1'), by(null, 'slow 2')].map((request) =>
        admission.run(request, task(request.key)),
      );
      const end = async () => {
        for (const name of ['slow', 'slow 1', 'slow 2']) {
          finish(name);
          await everythingThatCan();
        }
        await Promise.all(slow);
      };
      return { admission, started, task, finish, end };
    }

    test('refuses at once if the turn would come too late, and returns when to retry', async () => {
      const { admission, started, task, end } = await openSlow(40);
      const late = admission.run(by('a', 'late'), task('late')).catch((error: unknown) => error);
      const answer = await Promise.race([late, everythingThatCan().then(() => 'waits')]);
      expect(answer).toMatchObject({ code: 'overloaded', retryAfterSeconds: 8 });
      await end();
      expect(started).not.toContain('late');
    });

    test('queues the request of a client that was slow once', async () => {
      const { admission, started, task, finish, end } = await openSlow(1);
      const next = admission.run(by('a', 'next'), task('next'));
      await end();
      expect(started).toContain('next');
      finish('next');
      expect(await next).toBe('next');
    });

    test('lets the operator wait without limit', async () => {
      const { admission, started, task, finish, end } = await openSlow(40);
      const next = admission.run(by(null, 'next'), task('next'));
      await end();
      expect(started).toContain('next');
      finish('next');
      expect(await next).toBe('next');
    });
  });

  test('refuses a request that waited for half of its deadline, without running it', async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>(
      { ...BOUNDS, client_concurrency: 1, deadline_seconds: 0.02 },
      createHeldClock(),
    );
    const first = admission.run(by('a', 'first'), task('first'));
    const refused = admission.run(by('a', 'late'), task('late')).catch((error: unknown) => error);
    // Timers fire in the order in which they are due, however busy the host is.
    const whole = new Promise((resolve) => setTimeout(resolve, 20, 'the whole of it'));
    expect(await Promise.race([refused, whole])).toMatchObject({ code: 'overloaded' });
    finish('first');
    expect(await first).toBe('first');
    expect(started).toEqual(['first']);
  });

  test('counts the deadline from the beginning of the wait, except for the operator', async () => {
    const clock = createHeldClock(1000);
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

  test('gives the slot of a failed task to the next one', async () => {
    const { task, fail, finish, started } = createTasks();
    const admission = createAdmission<string>({ ...BOUNDS, check_concurrency: 1 }, createHeldClock());
    const failed = admission.run(by(null, 'a'), task('a')).catch((error: Error) => error.message);
    const next = admission.run(by(null, 'b'), task('b'));
    fail('a');
    expect(await failed).toBe('a');
    await everythingThatCan();
    expect(started).toEqual(['a', 'b']);
    finish('b');
    expect(await next).toBe('b');
  });
});
