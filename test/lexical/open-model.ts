import { type LexicalModel, loadLexicalModel } from '#src/lexical/model.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/url/target.ts';
import { knowledge } from '#test/support/knowledge.ts';

/** The bytes of the model that ships. */
export const modelFile: Uint8Array = await Bun.file(new URL('../../src/models/lexical.bin', import.meta.url)).bytes();

/** The model that ships. */
export const model: LexicalModel = loadLexicalModel(modelFile, knowledge);

/** A target, or a failed test. */
export function targetOf(url: string): Target {
  const target = parseTarget(url);
  if (isTargetProblem(target)) throw new Error(`${url}: ${target.message}`);
  return target;
}
