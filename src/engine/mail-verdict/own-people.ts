import { withoutUmlauts } from '#src/core/knowledge/brands/configured-brand.ts';
import { skeleton } from '#src/core/url/confusable.ts';
import { plainWords } from './mail-sender.ts';

/** Finds the people of the own organisation by the names of senders. */
export interface OwnPeople {
  /**
   * Returns the person whose name a sender bears, as it is configured; null if there is none. The order of the words, case,
   * marks and look-alike letters make no difference.
   *
   * @param isBeside returns true for a word that may be beside a name
   */
  find(name: string, isBeside: (word: string) => boolean): string | null;
}

/** A word, and its appearance at a glance. */
interface NameWord {
  readonly plain: string;
  readonly seen: string;
}

/** A configured name in one of its spellings, as appearances of words. */
interface Spelling {
  readonly person: string;
  readonly words: readonly string[];
}

/** Maximum number of words of a sender's name that are read. */
const MAX_WORDS = 16;

const known = new WeakMap<readonly string[], OwnPeople>();

/** Returns the search for people; built once for a list. */
export function ownPeople(people: readonly string[]): OwnPeople {
  return known.getOrInsertComputed(people, createOwnPeople);
}

function createOwnPeople(people: readonly string[]): OwnPeople {
  const byWord = new Map<string, Spelling[]>();
  const joined = new Map<string, string>();
  for (const person of people)
    for (const spelled of spellingsOf(person)) {
      const words = spelled.map(({ seen }) => seen);
      const [first, ...others] = words;
      if (first === undefined) continue;
      byWord.getOrInsertComputed(first, () => []).push({ person, words });
      joined.set(words.join(''), person);
      joined.set([words.at(-1), first, ...others.slice(0, -1)].slice(0, words.length).join(''), person);
    }
  return {
    find(name, isBeside) {
      for (const words of spellingsOf(name)) {
        for (const { seen } of words)
          for (const spelling of byWord.get(seen) ?? [])
            if (isNameIn(words, spelling.words, isBeside)) return spelling.person;
        const rest = words.filter(({ plain }) => !isBeside(plain)).map(({ seen }) => seen);
        const person = joined.get(rest.join(''));
        if (person !== undefined) return person;
      }
      return null;
    },
  };
}

/** Returns true if the words have all those of a name, each once, and no others but those that may be beside it. */
function isNameIn(words: readonly NameWord[], name: readonly string[], isBeside: (word: string) => boolean): boolean {
  const missing = [...name];
  const others = words.filter(({ seen }) => {
    const at = missing.indexOf(seen);
    if (at !== -1) missing.splice(at, 1);
    return at === -1;
  });
  return missing.length === 0 && others.every(({ plain }) => isBeside(plain));
}

/** Returns the words of a name without marks, and with umlauts as two letters. */
function spellingsOf(name: string): readonly (readonly NameWord[])[] {
  const lower = name.toLowerCase().replace(/['’]/g, '');
  return [...new Set([lower, withoutUmlauts(lower)])].map((text) =>
    plainWords(text)
      .slice(0, MAX_WORDS)
      .map((plain) => ({ plain, seen: skeleton(plain) })),
  );
}
