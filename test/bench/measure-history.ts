import type { Contest } from './contest.ts';
import type { FigureName } from './figures.ts';
import { interleave } from './interleave.ts';
import { COMMON_DOMAIN, RARE_DOMAIN } from './load-urls.ts';
import type { Plan } from './plan.ts';
import { firstThreadMicros } from './process-figures.ts';
import type { SampleSheet } from './samples.ts';

/** What the web page asks for. */
const PAGES = [
  ['historyPage', '/api/history?limit=50'],
  ['historyRare', `/api/history?limit=50&domain=${RARE_DOMAIN}`],
  ['historyCommon', `/api/history?limit=50&domain=${COMMON_DOMAIN}`],
  ['overview', '/api/stats'],
] as const satisfies readonly (readonly [FigureName, string])[];

/** How often a page is asked for in a round. */
const TIMES = 10;

/** What it costs to read what all the checks have left behind; the figures tell something at a size that somebody has. */
export async function measureHistory({ servers }: Contest, { rounds }: Plan, sheet: SampleSheet): Promise<void> {
  const programs = [...servers].filter(([subject]) => subject !== 'reference');
  const read = async (url: string) => {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  for (const [figure, path] of PAGES) {
    for (const [, { url }] of programs) await read(url + path);
    await interleave(
      rounds,
      programs.map(([subject, { url, pid }]) => async () => {
        const before = await firstThreadMicros(pid);
        for (let time = 0; time < TIMES; time++) await read(url + path);
        sheet.add(figure, subject, ((await firstThreadMicros(pid)) - before) / 1000 / TIMES);
      }),
    );
  }
}
