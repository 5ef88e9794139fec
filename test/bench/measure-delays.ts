import type { Contest } from './contest.ts';
import { interleave } from './interleave.ts';
import type { Plan } from './plan.ts';
import { processMicros } from './process-figures.ts';
import type { SampleSheet } from './samples.ts';
import { quantileOf } from './statistics.ts';

const PER_SECOND = 1000;

/** How long an answer takes where a thousand checks a second fall due, answered or not. */
export async function measureDelays(contest: Contest, plan: Plan, sheet: SampleSheet): Promise<void> {
  await interleave(
    plan.rounds,
    [...contest.servers].map(([subject, { pid }]) => async () => {
      const requests = Math.ceil(plan.openSeconds * PER_SECOND);
      const before = await processMicros(pid);
      const { delaysMs } = await contest.ask(subject, requests, { perSecond: PER_SECOND });
      sheet.add('paced', subject, ((await processMicros(pid)) - before) / requests);
      sheet.add('p50', subject, quantileOf(delaysMs, 0.5));
      sheet.add('p99', subject, quantileOf(delaysMs, 0.99));
      sheet.add('p999', subject, quantileOf(delaysMs, 0.999));
    }),
  );
}
