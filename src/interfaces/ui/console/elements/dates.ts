import type { Locale } from '../../shell/locale.ts';

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

/** An instant in words; `none` for null. */
export function instantOr(iso: string | null, none: string, { format }: Locale): string {
  return iso === null ? none : format.instant(iso);
}
