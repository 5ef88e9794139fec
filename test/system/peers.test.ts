import { expect, test } from 'bun:test';
import { runInNamespace } from './namespace.ts';

test('ICAP and milter accept the configured peers, and refuse all others with an event', async () => {
  expect(await runInNamespace('peers-inside.ts', { addresses: ['192.0.2.1', '192.0.2.2'] })).toEqual({
    refused: { mark: null, icap: null, refused: ['icap.peer_refused 192.0.2.2', 'milter.peer_refused 192.0.2.2'] },
    admitted: { mark: expect.stringMatching(/^allow; links=0; /), icap: 204, refused: [] },
  });
});
