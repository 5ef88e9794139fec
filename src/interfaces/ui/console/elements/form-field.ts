/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind?: 'text' | 'number' | 'date' | 'password' | 'choice' | 'check' | 'checks' | 'content' | 'file';
  readonly value?: string;
  /** Values with their words, of a choice or of several checks. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** True if it fills a line, as URLs do. */
  readonly isWide?: boolean;
  /** Endings of the files that are proposed. */
  readonly accept?: string;
}
