import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './carrier-parameters.json' with { type: 'json' };

/** Parameters that carry where a link leads, at redirectors, log-in pages and link protectors; in lower case. */
export const CARRIER_PARAMETERS: ReadonlySet<string> = new Set(
  wordsIn(readFacts('carrier-parameters.json', file, isNameLines)),
);
