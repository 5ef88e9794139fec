import { expect, test } from 'bun:test';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const KILLS = 20;
const CLIENTS = 16;
/** Answers to wait for before each kill: a different moment each time, the very first answers among them. */
const answersBeforeKill = (round: number) => 1 + round * 17;

test('repeated kill -9 under load loses no answered check', async () => {
  await using directory = temporaryDirectory();
  const answered = new Set<string>();
  for (let round = 0; round < KILLS; round++) {
    await using service = await startService(directory.path);
    const enough = Promise.withResolvers<void>();
    let inRound = 0;
    const client = async (isPrivate: boolean) => {
      for (let i = 0; i < 10_000; i++) {
        answered.add((await service.result(`http://example.com/${round}/${i}`, isPrivate)).request_id);
        if (++inRound >= answersBeforeKill(round)) enough.resolve();
      }
    };
    // Each client ends when its connection is cut by the kill, and none before.
    const clients = Promise.allSettled(Array.from({ length: CLIENTS }, (_, i) => client(i % 2 === 0)));
    await Promise.race([enough.promise, clients]);
    expect(inRound).toBeGreaterThanOrEqual(answersBeforeKill(round));
    await service.kill();
    await clients;
  }
  const kept = new Set<string>();
  for (const flags of [[], ['--private']]) {
    const log = await lurecheck(['log', '--data-dir', directory.path, '--format', 'ndjson', ...flags]);
    expect(log.exitCode).toBe(0);
    for (const line of log.stdout.trim().split('\n')) kept.add(JSON.parse(line).request_id);
  }
  expect([...answered].filter((id) => !kept.has(id))).toEqual([]);
  expect(answered.size).toBeGreaterThan(KILLS * 10);
});
