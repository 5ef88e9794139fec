import { type Guard, listWith, objectWith } from '#src/core/base/guard.ts';
import { isNameLines, isPatterns, isPhrases, type Patterns, readFacts, wordsIn } from '../fact-file.ts';
import fieldWordsFile from './field-words.json' with { type: 'json' };
import openRootsFile from './open-roots.json' with { type: 'json' };

/** Ids and tags of the elements into which applications draw themselves, lower case. */
export const OPEN_ROOTS: ReadonlySet<string> = new Set(
  wordsIn(readFacts('open-roots.json', openRootsFile, isNameLines)),
);

/** Kinds of data that a form may ask for, the rarest first. */
const KINDS = [
  'seed_phrase',
  'card_code',
  'card_number',
  'one_time_code',
  'identity_number',
  'bank_account',
  'password',
  'email',
  'phone',
  'user_name',
] as const;

type Kind = (typeof KINDS)[number];

/** By which words a kind of field is known. */
export interface FieldWords {
  readonly kind: Kind;
  /** Patterns in name and id, as whole words. */
  readonly name: readonly string[];
  /** Patterns in the label; `first` at its beginning alone. */
  readonly label: Patterns | { readonly first: readonly string[] };
}

const isFirst = objectWith({ first: isPhrases });

const isFieldWords: Guard<FieldWords[]> = listWith(
  objectWith<FieldWords>({
    kind: (value): value is Kind => KINDS.some((kind) => kind === value),
    name: isPhrases,
    label: (value): value is FieldWords['label'] => isPatterns(value) || isFirst(value),
  }),
);

/** The kinds in the order in which they are looked for: the first whose words are found is it. */
export const FIELD_WORDS: readonly FieldWords[] = readFacts('field-words.json', fieldWordsFile, isFieldWords);
