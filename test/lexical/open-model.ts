import { type Knowledge, loadKnowledge } from '#src/knowledge/index.ts';
import { type LexicalModel, loadLexicalModel } from '#src/lexical/model.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/url/target.ts';

const root = new URL('../../src/', import.meta.url);

/** The bytes of the model that ships. */
export const modelFile: Uint8Array = await Bun.file(new URL('models/lexical.bin', root)).bytes();

export const knowledge: Knowledge = loadKnowledge(await Bun.file(new URL('knowledge/popular-sites.txt', root)).bytes());

/** The model that ships. */
export const model: LexicalModel = loadLexicalModel(modelFile, knowledge);

/** A target, or a failed test. */
export function targetOf(url: string): Target {
  const target = parseTarget(url);
  if (isTargetProblem(target)) throw new Error(`${url}: ${target.message}`);
  return target;
}
