import { join } from 'node:path';
import { bodyOf } from './contest.ts';
import type { FigureName } from './figures.ts';
import { interleave } from './interleave.ts';
import { runLoad } from './load.ts';
import { urlOf } from './load-urls.ts';
import type { Plan } from './plan.ts';
import { type RunningServer, startProgram } from './running-server.ts';
import type { Programs, SampleSheet, Subject } from './samples.ts';
import { quantileOf } from './statistics.ts';
import { watchLive } from './watch-live.ts';

/** Checks until the compiler is done with what a slow disk adds, as a part of all those to warm up. */
const WARM_UP_SHARE = 0.2;
const CONNECTIONS = 64;

/** Figures that need a C compiler. */
export const SLOW_DISK_FIGURES: readonly FigureName[] = [
  'slowDiskP50',
  'slowestDiskP99',
  'slowestDiskLive',
  'slowestDiskLongest',
];

/** Returns true if there is a compiler for the library that delays syncs. */
export function canSlowDisk(): boolean {
  return Bun.which('cc') !== null;
}

/**
 * Measures how long answers take on a disk whose syncs take 5 and 20 ms, and how long a request waits meanwhile that needs
 * no disk. A library that sleeps in the place of each sync stands for the disk, so that any machine can measure it.
 */
export async function measureSlowDisk(
  programs: Programs,
  plan: Plan,
  folder: string,
  sheet: SampleSheet,
): Promise<void> {
  await onDisk(5, 200, ({ subject, delaysMs }) => {
    sheet.add('slowDiskP50', subject, quantileOf(delaysMs, 0.5));
    if (subject === 'own') sheet.add('slowDiskP50', 'reference', 5);
  });
  await onDisk(20, 1000, ({ subject, delaysMs, livesMs }) => {
    sheet.add('slowestDiskP99', subject, quantileOf(delaysMs, 0.99));
    sheet.add('slowestDiskLive', subject, quantileOf(livesMs, 0.9));
    sheet.add('slowestDiskLongest', subject, quantileOf(livesMs, 1));
  });

  async function onDisk(syncMs: number, perSecond: number, add: (measured: Measured) => void): Promise<void> {
    const environment = { LD_PRELOAD: await compileSlowSync(syncMs, folder) };
    await using opened = new AsyncDisposableStack();
    const works: (() => Promise<void>)[] = [];
    let asked = 0;
    const load = async ({ port }: RunningServer, requests: number, rate: number | null) => {
      const first = asked;
      asked += requests;
      const body = (n: number) => bodyOf(urlOf(first + n));
      const connections = Math.min(CONNECTIONS, requests);
      return await runLoad({ port, path: '/api/check-url', connections, requests, perSecond: rate, body });
    };
    for (const [subject, program] of programs) {
      const dataDir = join(folder, `disk-${syncMs}-${subject}`);
      const server = opened.use(await startProgram(program, dataDir, ['--network', 'none'], environment));
      await load(server, Math.ceil(plan.warmUps * WARM_UP_SHARE), null);
      works.push(async () => {
        const requests = Math.ceil(plan.openSeconds * perSecond);
        const { result, livesMs } = await watchLive(server.url, () => load(server, requests, perSecond));
        add({ subject, delaysMs: result.delaysMs, livesMs });
      });
    }
    await interleave(plan.rounds, works);
  }
}

/** Delays in a round, ascending, in milliseconds. */
interface Measured {
  readonly subject: Subject;
  readonly delaysMs: Float64Array;
  readonly livesMs: Float64Array;
}

async function compileSlowSync(syncMs: number, folder: string): Promise<string> {
  const library = join(folder, `slow-sync-${syncMs}.so`);
  await Bun.$`cc -shared -fPIC -DMICROS=${syncMs * 1000} -o ${library} ${join(import.meta.dir, 'slow-sync.c')}`.quiet();
  return library;
}
