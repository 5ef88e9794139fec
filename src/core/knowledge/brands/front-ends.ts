import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './front-ends.json' with { type: 'json' };

const NAMES = new Set(wordsIn(readFacts('front-ends.json', file, isNameLines)));

/** Returns true for the name of a service whose pages others show on subdomains of their own (`reddit.example.org`). */
export function hasFrontEnds(name: string): boolean {
  return NAMES.has(name);
}
