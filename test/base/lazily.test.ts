import { expect, test } from 'bun:test';
import { lazily } from '#src/base/lazily.ts';

/** A resource that counts how often it was opened and closed. */
function counted(open: () => Promise<void> = () => Promise.resolve()) {
  const counts = { opened: 0, closed: 0 };
  const resource = lazily(async () => {
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

test('a lazy resource is opened once for all who ask, and closed with its holder', async () => {
  const { counts, resource } = counted();
  const [one, other] = await Promise.all([resource.get(), resource.get()]);
  expect(one).toBe(other);
  await resource[Symbol.asyncDispose]();
  expect(counts).toEqual({ opened: 1, closed: 1 });
});

test('a lazy resource that nobody asked for is neither opened nor closed', async () => {
  const { counts, resource } = counted();
  await resource[Symbol.asyncDispose]();
  expect(counts).toEqual({ opened: 0, closed: 0 });
});

test('where the opening fails everyone is told, and there is nothing to close', async () => {
  const { counts, resource } = counted(() => Promise.reject(new Error('no room')));
  const asked = await Promise.allSettled([resource.get(), resource.get()]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await resource[Symbol.asyncDispose]();
  expect(counts).toEqual({ opened: 1, closed: 0 });
});
