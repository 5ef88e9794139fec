import type { PageReading } from './page-reading.ts';
import type { PageView } from './page-view.ts';

/** What a sign found: how much of it there is, in (0, 1], and the sentence that says so. */
export interface SignFinding {
  readonly value: number;
  readonly message: string;
}

/** One thing to look for on a page; null where it is not there. */
export type Sign = (page: PageReading) => SignFinding | null;

/** A finding of full strength. */
export function found(message: string, value = 1): SignFinding {
  return { value: Math.min(1, Math.max(0, value)), message };
}

const SECRET_NAMES = {
  password: 'a password',
  card_number: 'a card number',
  card_code: 'a card’s security code',
  one_time_code: 'a one-time code',
  seed_phrase: 'a wallet’s recovery phrase',
  identity_number: 'an identity number',
  bank_account: 'a bank account',
} as const;

/** A secret that a page asks for, as it stands in a sentence. */
export type SecretName = (typeof SECRET_NAMES)[keyof typeof SECRET_NAMES];

/** What the page asks for, as part of a sentence; empty where it asks for nothing secret. */
export function secretsInWords(view: PageView): string {
  const kinds: readonly string[] = [...view.secrets];
  const names = Object.entries(SECRET_NAMES).flatMap(([kind, name]) => (kinds.includes(kind) ? [name] : []));
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Text of the page as a quotation, in full: what the record keeps of it is cut once secrets are masked. */
export function quote(text: string): string {
  return `“${text.replace(/\s+/g, ' ').trim()}”`;
}
