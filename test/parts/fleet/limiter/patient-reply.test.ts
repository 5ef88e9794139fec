import { expect, test } from 'bun:test';
import { patientReply } from '#src/parts/fleet/limiter/redis-windows.ts';

const replyAfter = (ms: number): Promise<string> => new Promise((resolve) => setTimeout(() => resolve('reply'), ms));

test('a reply that is late once counts, also if the process was busy meanwhile', async () => {
  const reply = patientReply(replyAfter(30), 20);
  const untilMs = performance.now() + 100;
  while (performance.now() < untilMs) Bun.hash('busy');
  expect(await reply).toBe('reply');
});

test('one that is late twice, or an error, is thrown', async () => {
  await expect(patientReply(new Promise(() => {}), 1)).rejects.toThrow('it does not answer in time');
  await expect(patientReply(Promise.reject(new Error('READONLY')), 1000)).rejects.toThrow('READONLY');
});
