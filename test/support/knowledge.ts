import { type Knowledge, loadKnowledge } from '#src/knowledge/index.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/url/target.ts';

const POPULAR_SITES = new URL('../../src/knowledge/popular-sites.txt', import.meta.url);

/** The knowledge of the product, as the product loads it. */
export const knowledge: Knowledge = loadKnowledge(await Bun.file(POPULAR_SITES).bytes());

/** A URL that a test is sure of; one without a scheme is taken for `http`. */
export function targetOf(url: string): Target {
  const target = parseTarget(url.includes('://') ? url : `http://${url}`);
  if (isTargetProblem(target)) throw new Error(`${url} ${target.message}`);
  return target;
}
