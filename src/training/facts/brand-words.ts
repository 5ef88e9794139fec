import { indexBrands } from '#src/core/knowledge/brands/brand-index.ts';
import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import { typoBetween } from '#src/core/knowledge/brands/misspelling.ts';
import { chosenName, parseHost } from '#src/core/url/host.ts';
import { nameLines } from './name-lines.ts';

/** Sources of the words that resemble brands' names. */
export interface BrandWordSources {
  readonly brands: readonly Brand[];
  /** Hosts of honest sites; none of them may be a row of the trees' fit or of a measurement. */
  readonly hosts: readonly string[];
  /** Names that are also a place or a word. */
  readonly words: readonly string[];
}

/** Minimum number of names with a word; and with a word that is also a common typing error. */
const WORD_NAMES = 2;
const WORD_NAMES_OF_ERROR = 3;
/**
 * An honest site has such a name only if it is a word as well (`applied`, `appleid`); otherwise the brand registered
 * it, or an attacker.
 */
const TYPING_ERRORS: ReadonlySet<string> = new Set(['repeated', 'swapped']);
/** Maximum length of letters that end many words. */
const SHORT = 3;
const WIDTH = 120;

/**
 * Returns the text of `brand-words.json`: words in names of honest sites that are nearly a brand's name, and longer
 * words that contain a name by chance.
 */
export function deriveBrandWords({ brands, hosts, words }: BrandWordSources): string {
  const labels = hosts.flatMap((text) => {
    const host = parseHost(text);
    return host?.kind === 'name' && /^[a-z0-9-]+$/.test(chosenName(host)) ? [chosenName(host)] : [];
  });
  const known = knownWords(labels);
  const entries = {
    near: nameLines(wordsNear(labels, known, brands), WIDTH),
    longer: longerWords(known, brands),
    words: nameLines(words, WIDTH),
  };
  return `${JSON.stringify(
    {
      source:
        "derived from the names of sites on browsers' list of sites to be asked over HTTPS alone (Chromium, 2026-11) and of the Majestic Million (2026-03-12); words by hand",
      retrieved: '2026-11-23',
      licence: 'facts only: single words without their sites; CC-BY-3.0 for those of Majestic',
      entries,
    },
    null,
    1,
  )}\n`;
}

function wordsNear(labels: readonly string[], known: Words, brands: readonly Brand[]): string[] {
  const index = indexBrands(brands);
  const found = new Set<string>();
  for (const label of labels) {
    for (const word of new Set(label.split(/[^a-z]+/))) {
      const alias = word.length < 5 || found.has(word) ? null : index.near(word);
      if (alias && ((known.get(word) ?? 0) >= WORD_NAMES_OF_ERROR || !TYPING_ERRORS.has(typoBetween(word, alias.name))))
        found.add(word);
    }
  }
  return [...found].sort();
}

/** Words, with the number of names that they are in. */
type Words = ReadonlyMap<string, number>;

function knownWords(labels: readonly string[]): Words {
  const counts = new Map<string, number>();
  for (const label of labels) {
    if (!label.includes('-')) continue;
    for (const word of new Set(label.split('-'))) {
      if (/^[a-z]{3,}$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return new Map([...counts].filter(([, count]) => count >= WORD_NAMES));
}

/** Returns lines of a name and the pairs of words in which it spans their border. */
function longerWords(known: Words, brands: readonly Brand[]): string[] {
  const names = brands.flatMap(({ aliases }) =>
    aliases.flatMap(({ name, weight }) => (weight === 'anywhere' ? [name] : [])),
  );
  return [...new Set(names)].sort().flatMap((name) => {
    const longer = new Set<string>();
    for (let at = 2; at < name.length - 1; at++) {
      const [left, right] = [name.slice(0, at), name.slice(at)];
      for (const word of known.keys()) {
        const goesOn = known.has(left) && !known.has(right) && word.length > right.length && word.startsWith(right);
        if (goesOn) longer.add(left + word);
        const begins =
          known.has(right) &&
          (left.length <= SHORT || !known.has(left)) &&
          word.length > left.length &&
          word.endsWith(left);
        if (begins && left.length > 1 && right.length > 2) longer.add(word + right);
      }
    }
    return longer.size === 0 ? [] : [[name, ...[...longer].sort()].join(' ')];
  });
}
