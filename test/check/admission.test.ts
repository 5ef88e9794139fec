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

describe('admission', () => {
  test('runs no more than its bound at a time, and the others in the order in which they came', async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>({ check_concurrency: 2, queue_length: 10 });
    const results = ['a', 'b', 'c', 'd'].map((name) => admission.run(name, task(name)));
    expect(started).toEqual(['a', 'b']);
    finish('b');
    expect(await results[1]).toBe('b');
    expect(started).toEqual(['a', 'b', 'c']);
    finish('a');
    finish('c');
    await results[2];
    finish('d');
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('runs a task once for all who ask for it while it is under way, and anew afterwards', async () => {
    const { task, started, finish } = createTasks();
    const admission = createAdmission<string>({ check_concurrency: 1, queue_length: 0 });
    const shared = [admission.run('a', task('a')), admission.run('a', task('a')), admission.run('a', task('a'))];
    finish('a');
    expect(await Promise.all(shared)).toEqual(['a', 'a', 'a']);
    expect(started).toEqual(['a']);
    const again = admission.run('a', task('a'));
    expect(started).toEqual(['a', 'a']);
    finish('a');
    await again;
  });

  test('refuses what does not fit into the queue, with a time to come back', async () => {
    const { task, finish } = createTasks();
    const admission = createAdmission<string>({ check_concurrency: 1, queue_length: 1 });
    const admitted = [admission.run('a', task('a')), admission.run('b', task('b'))];
    const refused = await admission.run('c', task('c')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnavailableError);
    expect(refused).toMatchObject({ code: 'overloaded', retryAfterSeconds: expect.any(Number) });
    finish('a');
    await admitted[0];
    finish('b');
    await admitted[1];
  });

  test('gives the place of a task that failed to the next one', async () => {
    const { task, fail, finish } = createTasks();
    const admission = createAdmission<string>({ check_concurrency: 1, queue_length: 5 });
    const failed = admission.run('a', task('a')).catch((error: Error) => error.message);
    const next = admission.run('b', task('b'));
    fail('a');
    expect(await failed).toBe('a');
    finish('b');
    expect(await next).toBe('b');
  });
});
