import { html } from '#src/interfaces/ui/elements/dom.ts';
import type { Locale } from '#src/interfaces/ui/shell/locale.ts';

/** The day of an instant for a date field, in the reader's time zone; empty for null. */
export function dateOf(iso: string | null): string {
  if (iso === null) return '';
  const date = new Date(iso);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The end of a day of the reader's time zone, ISO 8601 UTC; null for none. */
export function endOfLocalDay(day: string): string | null {
  const date = new Date(`${day}T23:59:59`);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** An instant in words, with its time zone; `none` for null. */
export function momentOr(iso: string | null, none: string, { format }: Locale): string {
  return iso === null ? none : format.moment(iso);
}

/** Shows how long ago an instant was; its title shows the instant itself. */
export function timeAgo(iso: string, { format }: Locale): HTMLElement {
  return html('time', { datetime: iso, title: format.moment(iso) }, format.since(iso));
}
