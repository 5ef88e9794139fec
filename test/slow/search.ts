import { createRandom } from '#test/support/random.ts';
import { climb } from './climb.ts';
import { exactMs, roughMs } from './measure.ts';
import { pageWork } from './page-work.ts';
import { openServing } from './serving-work.ts';
import { BODIES } from './slow-body.ts';
import { PAGES } from './slow-page.ts';
import { URLS } from './slow-url.ts';

/** The slowest input that a search found, and its processor time in milliseconds, with compiled code. */
export interface Worst {
  readonly input: string;
  readonly ms: number;
}

/** What a search found for each kind of input, by who bears the cost. */
export interface WorstInputs {
  /** URLs and bodies, of the serving thread: reading, judging, describing, masking, writing down. */
  readonly url: Worst;
  readonly body: Worst;
  /** Pages, of the thread that reads and judges them. */
  readonly pageInThread: Worst;
  /** Pages, of the serving thread: taking them from one thread, handing them to another, serving their check. */
  readonly pageServed: Worst;
  /** Processor time of the serving thread for {@link ORDINARY}, in milliseconds, in the same process after the search. */
  readonly ordinaryMs: number;
}

/** A link as people check them. */
const ORDINARY = 'https://www.example.com/articles/2026/some-title?page=2&sort=asc';

/** How long to look: how many climbs from different beginnings, and of how many steps. */
export interface SearchPlan {
  readonly seed: number;
  readonly climbs: number;
  readonly steps: number;
  /** A page takes hundreds of times as long as a URL. */
  readonly pageSteps: number;
}

/** Searches for the slowest inputs. */
export async function searchWorst(plan: SearchPlan): Promise<WorstInputs> {
  await using serving = openServing();
  const worstOf = async (find: (seed: number) => Promise<Worst>): Promise<Worst> => {
    let worst: Worst = { input: '', ms: 0 };
    for (let climbed = 0; climbed < plan.climbs; climbed++) {
      const found = await find(plan.seed + climbed);
      if (found.ms > worst.ms) worst = found;
    }
    return worst;
  };
  const posted = (mountain: typeof URLS, toBody: (input: string) => string) =>
    worstOf(async (seed) => {
      const input = await climb(mountain, createRandom(seed), plan.steps, (text) =>
        roughMs(() => serving.post(toBody(text))),
      );
      return { input, ms: await exactMs(() => serving.post(toBody(input))) };
    });
  const ofPage = (part: 'inThread' | 'serve') =>
    worstOf(async (seed) => {
      const input = await climb(PAGES, createRandom(seed), plan.pageSteps, (html) =>
        roughMs(pageWork(html, serving)[part]),
      );
      return { input, ms: await exactMs(pageWork(input, serving)[part]) };
    });
  const bodyOf = (url: string) => JSON.stringify({ url });
  const found = {
    url: await posted(URLS, bodyOf),
    body: await posted(BODIES, (body) => body),
    pageInThread: await ofPage('inThread'),
    pageServed: await ofPage('serve'),
  };
  return { ...found, ordinaryMs: await exactMs(() => serving.post(bodyOf(ORDINARY))) };
}
