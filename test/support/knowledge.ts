import popularSites from '#src/core/knowledge/hosts/popular-sites.txt' with { type: 'text' };
import { type Knowledge, loadKnowledge } from '#src/core/knowledge/index.ts';

/** The knowledge of the product, as the product loads it. */
export const knowledge: Knowledge = loadKnowledge(popularSites);
