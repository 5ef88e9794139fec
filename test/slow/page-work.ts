import { deserialize, serialize } from 'bun:jsc';
import { analyzePage } from '#src/engine/analyzers/page.ts';
import { packPage, unpackPage } from '#src/engine/pages/page-task.ts';
import type { Hop } from '#src/network/egress/http/hop.ts';
import { USUAL_HTML_LIMITS } from '#src/network/html/limits.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { refreshTargets } from '#src/network/probes/visit/ways-on.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { targetOf } from '#test/support/target.ts';
import { NOTHING, type Serving } from './serving-work.ts';

const TARGET = targetOf('https://evil.example/a/b');
const BODY = JSON.stringify({ url: TARGET.url });
const LIMITS = USUAL_HTML_LIMITS;
const NO_HEADERS: Pick<Hop, 'headers'> = { headers: new Map() };

/** What a page costs, by who bears it. */
export interface PageWork {
  /** What the thread does that reads and judges it. */
  inThread(): Promise<void>;
  /** What the serving thread does: it takes the page, hands it on to be analyzed, takes the result, and serves the check. */
  serve(): Promise<void>;
}

/** Reads and judges a page once, and tells what doing so costs. */
export function pageWork(html: string, serving: Serving): PageWork {
  const bytes = new TextEncoder().encode(html).subarray(0, LIMITS.characters);
  const source = { contentType: 'text/html; charset=utf-8', url: TARGET.requestUrl };
  const seenOf = (document: ReturnType<typeof readPage>) => {
    const value = visitOf(TARGET, { contentLength: bytes.length, document });
    return { ...NOTHING, page: { state: 'observed', value, elapsedMs: 1 } } as const;
  };
  const readAndAnalyze = () => {
    const document = readPage(bytes, source, LIMITS);
    return { document, analyzed: analyzePage({ target: TARGET, observations: seenOf(document), knowledge }, []) };
  };
  const { document, analyzed } = readAndAnalyze();
  const { whole, ...arriving } = packPage(document);
  const [there, back] = [serialize(arriving), serialize(analyzed)];
  return {
    inThread: async () => void readAndAnalyze(),
    async serve() {
      const page = unpackPage({ ...deserialize(there), whole });
      refreshTargets(TARGET, NO_HEADERS, page);
      const observations = seenOf(page);
      const { document: _, ...visit } = observations.page.value;
      serialize({ kind: 'analyze', target: TARGET, visit, hosts: {}, configuredBrands: [] });
      await serving.post(BODY, { observations, page: deserialize(back) });
    },
  };
}
