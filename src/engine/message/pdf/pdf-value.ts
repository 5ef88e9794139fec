/** An object of a PDF document (ISO 32000-1 §7.3), or an operator of a content stream. */
export type PdfValue =
  | number
  | boolean
  | null
  | { readonly name: string }
  | { readonly string: string }
  | { readonly reference: number }
  | { readonly operator: string }
  | readonly PdfValue[]
  | PdfDictionary;

/** A dictionary by the names of its entries. */
export type PdfDictionary = ReadonlyMap<string, PdfValue>;

/** Returns a dictionary as such; an empty one for any other value. */
export function asDictionary(value: PdfValue | undefined): PdfDictionary {
  return value instanceof Map ? value : EMPTY;
}

const EMPTY: PdfDictionary = new Map();

/** Returns the values of an array, and any other value as the only one of its kind; empty for null. */
export function asArray(value: PdfValue | undefined): readonly PdfValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value as PdfValue];
}

/** Returns the text of a name, a string or an operator; empty for any other value. */
export function asText(value: PdfValue | undefined): string {
  if (typeof value !== 'object' || value === null) return '';
  if ('name' in value) return value.name;
  if ('string' in value) return value.string;
  return 'operator' in value ? value.operator : '';
}

/** Returns a number; the default for any other value. */
export function asNumber(value: PdfValue | undefined, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}
