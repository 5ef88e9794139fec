import { expect, test } from 'bun:test';
import { lazily, openLazily } from '#src/core/base/lazily.ts';

/** A resource that counts how often it was opened and closed. */
function counted(open: () => Promise<void> = () => Promise.resolve()) {
  const counts = { opened: 0, closed: 0 };
  const resource = openLazily(async () => {
    counts.opened++;
    await open();
    return {
      [Symbol.asyncDispose]: () => {
        counts.closed++;
        return Promise.resolve();
      },
    };
  });
  return { counts, resource };
}

test('a lazy resource is opened once for all users, and closed with its holder', async () => {
  const { counts, resource } = counted();
  const [one, other] = await Promise.all([resource.get(), resource.get()]);
  expect(one).toBe(other);
  await resource[Symbol.asyncDispose]();
  expect(counts).toEqual({ opened: 1, closed: 1 });
});

test('an unused lazy resource is neither opened nor closed', async () => {
  const { counts, resource } = counted();
  await resource[Symbol.asyncDispose]();
  expect(counts).toEqual({ opened: 0, closed: 0 });
});

test('if opening fails, every caller gets the error, and nothing is closed', async () => {
  const { counts, resource } = counted(() => Promise.reject(new Error('no room')));
  const asked = await Promise.allSettled([resource.get(), resource.get()]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await resource[Symbol.asyncDispose]();
  expect(counts).toEqual({ opened: 1, closed: 0 });
});

test('a failed opening is retried for the next caller, and the resource is closed at the end', async () => {
  let isFull = true;
  const { counts, resource } = counted(() => (isFull ? Promise.reject(new Error('no room')) : Promise.resolve()));
  await expect(resource.get()).rejects.toThrow('no room');
  isFull = false;
  expect(await resource.get()).toBe(await resource.get());
  await resource[Symbol.asyncDispose]();
  expect(counts).toEqual({ opened: 2, closed: 1 });
});

test('a value is created again only after a failure', async () => {
  let made = 0;
  const value = lazily(async () => {
    made++;
    if (made === 1) throw new Error('not yet');
    return made;
  });
  await expect(Promise.all([value(), value()])).rejects.toThrow('not yet');
  expect(await Promise.all([value(), value(), value()])).toEqual([2, 2, 2]);
});
