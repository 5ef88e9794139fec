import { statSync } from 'node:fs';
import { openContest } from './contest.ts';
import { measureDelays } from './measure-delays.ts';
import { measureHistory } from './measure-history.ts';
import { measureRequests } from './measure-requests.ts';
import type { Measure, Plan } from './plan.ts';
import { residentMib } from './process-figures.ts';
import type { Programs, SampleSheet } from './samples.ts';

/** Samples of the memory under load. */
const MEMORY_SAMPLES = 10;

/**
 * One life of the service, beside a bare one: its requests and delays, then what all its checks have left in its memory,
 * in its history and, once it is stopped, on the disk. How many checks that were.
 */
export async function measureService(
  programs: Programs,
  plan: Plan,
  measures: ReadonlySet<Measure>,
  folder: string,
  sheet: SampleSheet,
): Promise<number> {
  const contest = await openContest(programs, folder);
  {
    await using _ = contest;
    for (const [subject, { pid }] of contest.servers) {
      await contest.ask(subject, 1);
      if (measures.has('log') && subject !== 'reference') sheet.add('memoryAtFirst', subject, await residentMib(pid));
    }
    for (const subject of contest.servers.keys()) await contest.ask(subject, plan.warmUps);
    if (measures.has('requests')) await measureRequests(contest, programs, plan, folder, sheet);
    if (measures.has('delays')) await measureDelays(contest, plan, sheet);
    if (!measures.has('log')) return contest.askedOf('own');
    for (const subject of programs.keys()) {
      const half = Math.ceil(plan.checks / 2);
      await contest.ask(subject, Math.max(0, half - contest.askedOf(subject)));
      const step = Math.ceil((plan.checks - half) / MEMORY_SAMPLES);
      for (let sample = 0; sample < MEMORY_SAMPLES; sample++) {
        await contest.ask(subject, Math.max(0, Math.min(step, plan.checks - contest.askedOf(subject))));
        sheet.add('memory', subject, await residentMib(contest.servers.get(subject)?.pid ?? 0));
      }
    }
    await measureHistory(contest, plan, sheet);
  }
  for (const subject of programs.keys()) {
    sheet.add('disk', subject, publicLogBytes(contest.dataDirOf(subject)) / contest.askedOf(subject));
  }
  return contest.askedOf('own');
}

/** What the public log takes on the disk: whatever files it is made of, each of which has its name. */
function publicLogBytes(dataDir: string): number {
  const files = new Bun.Glob('public*').scanSync({ cwd: dataDir, absolute: true });
  return [...files].reduce((bytes, file) => bytes + statSync(file).size, 0);
}
