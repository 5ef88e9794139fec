import { expect, test } from 'bun:test';
import expected from './golden.json' with { type: 'json' };
import { goldenDigests } from './golden.ts';

/**
 * An optimization must not change it. What is meant to change answers writes it anew: `bun test/checks/check/golden.ts`.
 */
test('the answers, stored rows and log lines of 5,000 URLs are unchanged', async () => {
  expect(await goldenDigests()).toEqual(expected);
});
