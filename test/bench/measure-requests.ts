import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AskedProcess, startAsked } from './asked-process.ts';
import type { Contest } from './contest.ts';
import { interleave } from './interleave.ts';
import type { Plan } from './plan.ts';
import { firstThreadMicros, processMicros } from './process-figures.ts';
import type { Programs, SampleSheet, Subject } from './samples.ts';

/** URLs in a batch: the most that the API takes. */
const TOGETHER = 100;
const MICROS = 1e6;
const STAGES = 'measured-stages.ts';

/**
 * What a check costs where the next one follows at once, and where its time goes. The steady figure is the processor time,
 * since requests a second also tell of the disk, and of what else runs. It is compared with `JSON.stringify` of the same
 * answers, which is as fast or slow as the check on any machine.
 */
export async function measureRequests(
  contest: Contest,
  programs: Programs,
  { rounds, requests, warmUps }: Plan,
  folder: string,
  sheet: SampleSheet,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const stages = new Map<Subject, AskedProcess>();
  for (const [subject, program] of programs) {
    const here = join(import.meta.dir, STAGES);
    // An earlier commit may have none.
    const there = join(dirname(program), '../test/bench', STAGES);
    if (there !== here) await copyFile(here, there);
    const dataDir = join(folder, `stages-${subject}`);
    stages.set(subject, opened.use(startAsked(there, dataDir, String(requests), String(warmUps))));
  }
  await interleave(
    rounds,
    [...contest.servers].map(([subject, { pid }]) => async () => {
      const [allBefore, servingBefore] = [await processMicros(pid), await firstThreadMicros(pid)];
      const { requestsPerSecond } = await contest.ask(subject, requests);
      const request = ((await processMicros(pid)) - allBefore) / requests;
      sheet.add('request', subject, request);
      sheet.add('servingThread', subject, ((await firstThreadMicros(pid)) - servingBefore) / requests);
      sheet.add('throughput', subject, requestsPerSecond);
      if (subject !== 'reference') await measureBatch(contest, subject, { requests, pid }, sheet);
      const figures = await stages.get(subject)?.measure();
      if (!figures) return;
      const { unit = 0, assess = 0, describe = 0, pack = 0, store = 0 } = figures;
      const chain = assess + describe + pack;
      sheet.add('chain', subject, chain);
      sheet.add('served', subject, request);
      if (subject === 'own') {
        for (const figure of ['chain', 'served'] as const) sheet.add(figure, 'reference', unit);
        sheet.add('batch', 'reference', request);
        sheet.add('batchWall', 'reference', MICROS / requestsPerSecond);
      }
      for (const [figure, micros] of Object.entries({ assess, describe, pack, store })) {
        sheet.add(figure as 'assess' | 'describe' | 'pack' | 'store', subject, micros);
      }
      sheet.add('shell', subject, request - chain - store);
    }),
  );
}

async function measureBatch(
  contest: Contest,
  subject: Subject,
  { requests, pid }: { readonly requests: number; readonly pid: number },
  sheet: SampleSheet,
): Promise<void> {
  const before = await processMicros(pid);
  const { requestsPerSecond } = await contest.ask(subject, Math.ceil(requests / TOGETHER) * TOGETHER, {
    together: TOGETHER,
  });
  sheet.add('batch', subject, ((await processMicros(pid)) - before) / requests);
  sheet.add('batchWall', subject, MICROS / requestsPerSecond / TOGETHER);
}
