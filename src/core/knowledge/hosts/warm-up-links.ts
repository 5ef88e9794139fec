import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './warm-up-links.json' with { type: 'json' };

/**
 * Returns links of every kind. Their classification spares the first link of each kind the time in which its tables load; of
 * some 40 of each, code is compiled for what runs often.
 *
 * @param count number of links of each kind
 */
export function warmUpLinks(count: number): string[] {
  const kinds = wordsIn(readFacts('warm-up-links.json', file, isNameLines));
  return Array.from({ length: count }, (_, round) => kinds.map((kind) => kind.replaceAll('#', String(round)))).flat();
}
