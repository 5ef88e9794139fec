import { type Knowledge, loadKnowledge } from '#src/knowledge/index.ts';

/** The facts that are part of the program. */
export const knowledge: Knowledge = loadKnowledge(
  await Bun.file(new URL('../../src/knowledge/popular-sites.txt', import.meta.url)).bytes(),
);
