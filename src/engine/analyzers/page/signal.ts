import type { ArgsOf, ReasonCode } from '#src/engine/reasons/reason.ts';
import type { PageReading } from './brand-claim.ts';
import type { PageView } from './page-view.ts';

/** A finding: its strength in (0, 1] and the arguments of its sentence in the catalogue. */
export interface SignalFinding<Args> {
  readonly value: number;
  readonly args: Args;
}

/** Looks for one signal on a page; returns null if it is absent. */
export type Signal<Code extends ReasonCode> = (page: PageReading) => SignalFinding<ArgsOf<Code>> | null;

/** Creates a finding; its value is clamped to [0, 1]. */
export function findingOf<const Args>(args: Args, value = 1): SignalFinding<Args> {
  return { value: Math.min(1, Math.max(0, value)), args };
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

/** English name of a secret in a sentence. */
export type SecretName = (typeof SECRET_NAMES)[keyof typeof SECRET_NAMES];

/** Returns the secrets that the page asks for as part of a sentence; empty if there are none. */
export function secretsInWords(view: PageView): string {
  const kinds: readonly string[] = [...view.secrets];
  const names = Object.entries(SECRET_NAMES).flatMap(([kind, name]) => (kinds.includes(kind) ? [name] : []));
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Returns text of the page on one line, uncut: the record shortens it after secrets are masked. */
export function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
