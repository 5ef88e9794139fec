import { RefusalError } from '../api/api.ts';
import type { Locale } from '../shell/locale.ts';
import { type Child, html, replaceChildren } from './dom.ts';
import { refusalText } from './refusal-text.ts';

/** Fills a place with what `load` brings, or with why it brought nothing; does nothing once `leaving` is aborted. */
export async function fill<T>(
  place: Element,
  load: Promise<T>,
  draw: (value: T) => Child,
  locale: Locale,
  leaving: AbortSignal,
): Promise<void> {
  try {
    const value = await load;
    if (!leaving.aborted) replaceChildren(place, draw(value));
  } catch (error) {
    if (leaving.aborted) return;
    const refusal =
      error instanceof RefusalError ? error.refusal : { status: 500, code: '', detail: '', retryAfterSeconds: null };
    replaceChildren(place, html('p', { class: 'complaint', role: 'alert' }, refusalText(refusal, locale)));
  }
}
