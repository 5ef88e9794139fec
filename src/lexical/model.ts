import { LexicalModelError, readSections } from './model-sections.ts';
import type { NgramModel } from './ngram-model.ts';
import { NGRAM_FIELDS } from './ngrams.ts';

/** The trained model of what phishing URLs look like, as views over the bytes of `lexical.bin`. */
export interface LexicalModel {
  /** Names the model in answers: the checksum of its file. */
  readonly version: string;
  readonly ngrams: NgramModel;
  /** Log-odds of the n-gram model where it saw nothing. */
  readonly bias: number;
  /** Calibration, affine in log-odds: slope × score + offset is the log-odds relative to the base rate. */
  readonly slope: number;
  readonly offset: number;
}

/** Opens a model file, without copying or parsing it. Throws {@link LexicalModelError} where it cannot be used. */
export function loadLexicalModel(file: Uint8Array | ArrayBuffer): LexicalModel {
  const sections = readSections(file);
  const [bias, slope, offset] = sections.float64('params');
  const weights = sections.int8('ngramWeights');
  const codebook = sections.float32('ngramCodebook');
  if (bias === undefined || slope === undefined || offset === undefined || codebook.length !== 256) {
    throw new LexicalModelError('the model file lacks its parameters');
  }
  if (weights.length === 0 || (weights.length & (weights.length - 1)) !== 0) {
    throw new LexicalModelError(
      `the model file has ${weights.length} weights for ${NGRAM_FIELDS.length} fields, not a power of two`,
    );
  }
  return { version: sections.fingerprint, ngrams: { weights, codebook }, bias, slope, offset };
}
