/** How one setting is read. `T` is what the program sees. */
export interface SettingKind<T> {
  /** What may be written, for help texts and errors: `whole number from 0`. */
  readonly expected: string;
  /** The TypeScript types that a TOML file may use for it; each of them is read through its text. */
  readonly toml: readonly ('string' | 'number' | 'boolean')[];
  readonly isList: boolean;
  /** The value; null where the text is not `expected`. A string out of `explain` may say more. */
  read(text: string): T | null;
  /** The text that `read` gives this value for. */
  write(value: T): string;
}

/** A whole number of something within bounds. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): SettingKind<number> {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return {
    expected: `a whole number ${bounds}`,
    toml: ['number'],
    isList: false,
    read: (text) => (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null),
    write: String,
  };
}

/** A decimal number strictly between two bounds. */
export function numberBetween(min: number, max: number): SettingKind<number> {
  return {
    expected: `a number between ${min} and ${max}`,
    toml: ['number'],
    isList: false,
    read: (text) =>
      /^\d{0,9}(\.\d{1,15})?$/.test(text) && Number(text) > min && Number(text) < max ? Number(text) : null,
    write: String,
  };
}

/** `true` or `false`; a flag without a value is `true`. */
export const yesOrNo: SettingKind<boolean> = {
  expected: 'true or false',
  toml: ['boolean'],
  isList: false,
  read: (text) => (text === 'true' ? true : text === 'false' ? false : null),
  write: String,
};

/** One of a few words. */
export function oneOf<const T extends string>(words: readonly T[]): SettingKind<T> {
  return {
    expected: words.map((word) => `\`${word}\``).join(', '),
    toml: ['string'],
    isList: false,
    read: (text) => words.find((word) => word === text) ?? null,
    write: String,
  };
}

/** Text in a form of its own; `read` gives null for what is not. */
export function textOf<T>(
  expected: string,
  read: (text: string) => T | null,
  write: (value: T) => string,
): SettingKind<T> {
  return { expected, toml: ['string'], isList: false, read, write };
}

/** Several of a kind: a repeated flag, commas in the environment, an array in TOML. */
export function listOf<T>(kind: SettingKind<T>): SettingKind<readonly T[]> {
  return {
    expected: `${kind.expected}; may be given several times`,
    toml: kind.toml,
    isList: true,
    read: (text) => {
      const items = text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .map((item) => kind.read(item));
      return items.every((item) => item !== null) ? items : null;
    },
    write: (items) => items.map((item) => kind.write(item)).join(','),
  };
}
