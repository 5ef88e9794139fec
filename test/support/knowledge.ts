import { type Knowledge, loadKnowledge } from '#src/core/knowledge/index.ts';

const POPULAR_SITES = new URL('../../src/core/knowledge/hosts/popular-sites.txt', import.meta.url);

/** The knowledge of the product, as the product loads it. */
export const knowledge: Knowledge = loadKnowledge(await Bun.file(POPULAR_SITES).bytes());
