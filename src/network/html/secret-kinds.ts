import type { FieldKind, PageDocument } from './document.ts';

/** Kinds of fields that ask for a secret. */
export const SECRET_KINDS: ReadonlySet<FieldKind> = new Set<FieldKind>([
  ...(['password', 'card_number', 'card_code', 'one_time_code', 'seed_phrase'] as const),
  ...(['identity_number', 'bank_account'] as const),
]);

/** Returns true if a form of a page asks for a secret. */
export function asksForSecret({ forms }: Pick<PageDocument, 'forms'>): boolean {
  return forms.some(({ fields }) => fields.some(({ kind }) => SECRET_KINDS.has(kind)));
}
