import { COMMON_PATH_WORDS } from '#src/core/knowledge/words/path-words.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { hasUnusualWord } from './unusual-word.ts';

/** Kinds of fields that ask for secrets. */
const SECRETS = /^(?:password|card_number|card_code|one_time_code|seed_phrase|identity_number|bank_account)$/;

/** Maximum number of fields that count. */
const MAX_FIELDS = 60;

/**
 * Returns the form that asks for a secret, with the title of its page, as text; null if there is none or the title is
 * common. Uses only what the serving thread has of a page. The page of another site on which a link ended does not
 * count.
 */
export function formFingerprint({ page, landing }: Pick<Observations, 'page' | 'landing'>): string | null {
  const document = page.state === 'observed' && landing === null ? page.value.document : null;
  if (document === null) return null;
  const { title, forms } = document;
  if (title === null || !hasUnusualWord(title, COMMON_PATH_WORDS)) return null;
  const form = forms.find(({ fields }) => fields.some(({ kind }) => SECRETS.test(kind)));
  if (form === undefined) return null;
  const fields = form.fields.slice(0, MAX_FIELDS).map(({ name, type }) => `${name} ${type}`);
  return JSON.stringify([title.toLowerCase(), form.method, ...fields]);
}
