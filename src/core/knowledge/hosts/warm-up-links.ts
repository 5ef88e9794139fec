import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './warm-up-links.json' with { type: 'json' };

/** How often each kind of link is classified: code is compiled for what runs often. */
const ROUNDS = 40;

/**
 * Returns a few hundred links of every kind. Who classifies them first spares the first real link of each kind the time,
 * up to 100 ms, in which its tables load.
 */
export function warmUpLinks(): string[] {
  const kinds = wordsIn(readFacts('warm-up-links.json', file, isNameLines));
  return Array.from({ length: ROUNDS }, (_, round) => kinds.map((kind) => kind.replaceAll('#', String(round)))).flat();
}
