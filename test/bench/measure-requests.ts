import type { Contest } from './contest.ts';
import { interleave } from './interleave.ts';
import { simpleUrlOf } from './load-urls.ts';
import type { Plan } from './plan.ts';
import { firstThreadMicros, processMicros } from './process-figures.ts';
import type { SampleSheet } from './samples.ts';

/** What a check costs where the next one follows at once: the steady figure is the processor time, since requests a second also tell of the disk, and of what else runs. */
export async function measureRequests(contest: Contest, { rounds, requests }: Plan, sheet: SampleSheet): Promise<void> {
  await interleave(
    rounds,
    [...contest.servers].map(([subject, { pid }]) => async () => {
      const [allBefore, servingBefore] = [await processMicros(pid), await firstThreadMicros(pid)];
      const { requestsPerSecond } = await contest.ask(subject, requests);
      sheet.add('request', subject, ((await processMicros(pid)) - allBefore) / requests);
      sheet.add('servingThread', subject, ((await firstThreadMicros(pid)) - servingBefore) / requests);
      sheet.add('throughput', subject, requestsPerSecond);
      const simpleBefore = await processMicros(pid);
      await contest.ask(subject, requests, { urls: simpleUrlOf });
      sheet.add('simpleRequest', subject, ((await processMicros(pid)) - simpleBefore) / requests);
    }),
  );
}
