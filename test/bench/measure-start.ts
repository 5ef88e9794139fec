import { join } from 'node:path';
import { bodyOf } from './contest.ts';
import { interleave } from './interleave.ts';
import { urlOf } from './load-urls.ts';
import type { Plan } from './plan.ts';
import { startProgram } from './running-server.ts';
import type { Programs, SampleSheet } from './samples.ts';

/** Starts in a round: one is over so soon that it says little. */
const STARTS = 3;

/** How long a service that begins with an empty data directory takes to its first answer, beside `version` of this checkout. */
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
  const version = async () => {
    const startedMs = performance.now();
    await Bun.spawn([programs.get('own') ?? '', 'version'], { stdio: ['ignore', 'ignore', 'inherit'], env: {} }).exited;
    sheet.add('start', 'reference', performance.now() - startedMs);
  };
  await interleave(rounds * STARTS, [...services, version]);
}
