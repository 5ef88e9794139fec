import { searchFor } from '#src/core/knowledge/fact-file.ts';
import { FIELD_WORDS } from '#src/core/knowledge/words/markup-words.ts';
import type { FieldKind } from './document.ts';

/** Clues in the markup of a field; all but `label` as in its attributes. */
export interface FieldClues {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly autocomplete: string;
  readonly style: string;
  readonly label: string;
}

interface Clue {
  readonly kind: FieldKind;
  /** Matched against name and id, lower case, punctuation as single spaces. */
  readonly name: RegExp;
  /** Matched against the label, lower case. */
  readonly label: RegExp;
}

/** Tokens of the `autocomplete` attribute (HTML standard, "autofill"). */
const AUTOCOMPLETE: Readonly<Record<string, FieldKind>> = {
  'current-password': 'password',
  'new-password': 'password',
  'one-time-code': 'one_time_code',
  'cc-number': 'card_number',
  'cc-csc': 'card_code',
  username: 'user_name',
  email: 'email',
  tel: 'phone',
};

/** Words before the requested data: `Enter your current password`. */
const ASKING = '(?:(?:your|enter|current|e-?mail|the|please|account|ihr|votre|tu|su|sua)\\W+){0,3}';

/** The first match wins: rarer kinds come first. */
const CLUES: readonly Clue[] = FIELD_WORDS.map(({ kind, name, label }) => ({
  kind,
  name: searchFor({ whole: name }),
  label: 'first' in label ? new RegExp(`^\\W*${ASKING}(?:${label.first.join('|')})`) : searchFor(label),
}));

const FREE_TEXT = new Set(['text', 'tel', 'number', 'password', 'email', 'url', 'search', 'textarea']);

/** Returns the kind of a field; `other` if nothing determines it. */
export function classifyField(clues: FieldClues): FieldKind {
  if (clues.type === 'hidden' || clues.type === 'file' || clues.type === 'search') return clues.type;
  if (!FREE_TEXT.has(clues.type)) return 'other';
  for (const token of clues.autocomplete.toLowerCase().split(/\s+/, 8)) {
    const kind = AUTOCOMPLETE[token];
    if (kind) return kind;
  }
  const found = CLUES.find(matcher(clues))?.kind;
  const masked = clues.type === 'password' || /text-security:(?:disc|circle|square)/.test(clues.style);
  if (masked) return found && RARER_THAN_PASSWORD.has(found) ? found : 'password';
  if (found !== undefined) return found;
  if (clues.type === 'email') return 'email';
  return clues.type === 'tel' ? 'phone' : 'other';
}

const RARER_THAN_PASSWORD: ReadonlySet<FieldKind> = new Set([
  'seed_phrase',
  'card_code',
  'card_number',
  'one_time_code',
  'identity_number',
]);

function matcher(clues: FieldClues): (clue: Clue) => boolean {
  const names = `${spaced(clues.name)} | ${spaced(clues.id)}`;
  const label = clues.label.toLowerCase();
  return (clue) => clue.name.test(names) || clue.label.test(label);
}

/** `user[loginEmail]` as `user login email`. */
function spaced(name: string): string {
  return name
    .slice(0, 64)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ');
}
