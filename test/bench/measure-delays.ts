import type { Contest } from './contest.ts';
import { interleave } from './interleave.ts';
import type { Plan } from './plan.ts';
import { processMicros } from './process-figures.ts';
import type { SampleSheet, Subject } from './samples.ts';
import { quantileOf } from './statistics.ts';
import { watchLive } from './watch-live.ts';

const PER_SECOND = 1000;
/** Rates that people have. */
const RATES = { pacedOne: 1, pacedTen: 10, pacedHundred: 100 } as const;

/** What a check costs, and how long its answer takes, where so many checks a second fall due, answered or not. */
export async function measureDelays(contest: Contest, plan: Plan, sheet: SampleSheet): Promise<void> {
  const paced = async (subject: Subject, pid: number, perSecond: number | undefined, requests: number) => {
    const before = await processMicros(pid);
    const { delaysMs } = await contest.ask(subject, requests, perSecond === undefined ? {} : { perSecond });
    return { micros: ((await processMicros(pid)) - before) / requests, delaysMs };
  };
  await interleave(
    plan.rounds,
    [...contest.servers].map(([subject, { pid, url }]) => async () => {
      const many = () => paced(subject, pid, PER_SECOND, Math.ceil(plan.openSeconds * PER_SECOND));
      const { micros, delaysMs } = await many();
      sheet.add('paced', subject, micros);
      sheet.add('p50', subject, quantileOf(delaysMs, 0.5));
      sheet.add('p99', subject, quantileOf(delaysMs, 0.99));
      sheet.add('p999', subject, quantileOf(delaysMs, 0.999));
      if (subject === 'reference') return;
      sheet.add('longestStep', subject, quantileOf((await watchLive(url, many)).livesMs, 1));
      const full = await paced(subject, pid, undefined, plan.requests);
      for (const [figure, rate] of Object.entries(RATES) as [keyof typeof RATES, number][]) {
        // Linux counts in hundredths of a second: of few checks, more of the time has to be watched.
        const requests = Math.ceil(plan.openSeconds * rate * (rate < 100 ? 2 : 1));
        sheet.add(figure, subject, (await paced(subject, pid, rate, requests)).micros);
        if (subject === 'own') sheet.add(figure, 'reference', full.micros);
      }
    }),
  );
}
