import type { Refusal } from '../api/api.ts';
import type { Locale } from '../shell/locale.ts';
import { type Child, html } from './dom.ts';
import { foreign } from './literal.ts';

/** Explains a refusal to the reader, and quotes the service if that helps. */
export function refusalText(refusal: Refusal, { say }: Locale): Child {
  const key = refusal.status === 0 ? 'unreachable' : String(refusal.status);
  const ofCode = say.maybe(`refusal.${refusal.code}`, '');
  const meaning = ofCode || say.maybe(`refusal.${key}`, say('refusal.unknown'));
  const helps = ofCode === '' && refusal.detail !== '' && (refusal.status === 400 || refusal.status === 413);
  return [meaning, helps && [' ', say('refusal.said'), ' ', html('span', { lang: 'en' }, foreign(refusal.detail))]];
}
