import { type Knowledge, loadKnowledge } from '#src/knowledge/index.ts';
import popularSitesPath from '#src/knowledge/popular-sites.txt' with { type: 'file' };
import { type LexicalModel, loadLexicalModel } from '#src/lexical/model.ts';
import lexicalPath from '#src/models/lexical.bin' with { type: 'file' };

/** The facts that are part of the program. */
export async function openKnowledge(): Promise<Knowledge> {
  return loadKnowledge(await Bun.file(popularSitesPath).bytes());
}

/** The lexical model that is part of the program. */
export async function openLexicalModel(): Promise<LexicalModel> {
  return loadLexicalModel(await Bun.file(lexicalPath).bytes(), await openKnowledge());
}
