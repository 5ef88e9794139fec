import { join } from 'node:path';
import { bodyOf } from './contest.ts';
import { interleave } from './interleave.ts';
import { urlOf } from './load-urls.ts';
import type { Plan } from './plan.ts';
import { startProgram } from './running-server.ts';
import type { Programs, SampleSheet } from './samples.ts';

/** Starts in a round: one is over so soon that it says little. */
const STARTS = 3;

/**
 * How long a service that begins with an empty data directory takes to its first answer, and a command to check one URL, beside
 * `version` of this checkout.
 */
export async function measureStart(
  programs: Programs,
  { rounds }: Plan,
  folder: string,
  sheet: SampleSheet,
): Promise<void> {
  let directories = 0;
  const services = [...programs].map(([subject, program]) => async () => {
    const startedMs = performance.now();
    await using server = await startProgram(program, join(folder, `start-${directories++}`));
    const answer = await fetch(`${server.url}/api/check-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bodyOf(urlOf(0)),
    });
    await answer.text();
    sheet.add('start', subject, performance.now() - startedMs);
  });
  const run = async (program: string, args: readonly string[]) => {
    const startedMs = performance.now();
    await Bun.spawn([program, ...args], { stdio: ['ignore', 'ignore', 'inherit'], env: {} }).exited;
    return performance.now() - startedMs;
  };
  const checks = [...programs].map(([subject, program]) => async () => {
    sheet.add('checkOne', subject, await run(program, ['check', '--network', 'none', urlOf(0)]));
  });
  const version = async () => {
    const millis = await run(programs.get('own') ?? '', ['version']);
    for (const figure of ['start', 'checkOne'] as const) sheet.add(figure, 'reference', millis);
  };
  await interleave(rounds * STARTS, [...services, ...checks, version]);
}
