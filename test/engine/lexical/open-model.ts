import { type LexicalModel, loadLexicalModel } from '#src/engine/lexical/model.ts';
import { knowledge } from '#test/support/knowledge.ts';

/** The bytes of the model that ships. */
export const modelFile: Uint8Array = await Bun.file(
  new URL('../../../src/engine/models/lexical.bin', import.meta.url),
).bytes();

/** The model that ships. */
export const model: LexicalModel = loadLexicalModel(modelFile, knowledge);
