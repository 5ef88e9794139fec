import { type Cidr, formatCidr, parseUnmappedCidr } from '../addresses/ip.ts';

/** Syntax of one setting. `T` is the type of its value. */
export interface SettingKind<T> {
  /** Accepted values, for help and errors: `a whole number from 0`. */
  readonly expected: string;
  /** The words of which one must be written, if there are only a few. */
  readonly words?: readonly string[];
  /** The type that a TOML file uses for it; the value is read through its text. */
  readonly toml: 'string' | 'number' | 'boolean';
  /** True if there may be several: a repeated flag, commas in the environment, an array in TOML. */
  readonly isList: boolean;
  /** True if the value may hold a password. Such a value can also be given as `file:/path`, and is in no message. */
  readonly isSecret: boolean;
  /** For a list whose items may also be tables in a TOML file, `[[key]]`. */
  readonly tables?: SettingTables;
  /** The value; null if a text is not `expected`. There is one text, but for a list as many as it has items. */
  read(texts: readonly string[]): T | null;
  /** The value as people read it, a password as `***`; empty if it stands for nothing. */
  write(value: T): string;
}

/** Tables of a TOML file, each of which is one item of a list. */
export interface SettingTables {
  readonly key: string;
  /** Names of the members, all of which are strings. */
  readonly members: readonly string[];
  /** Writes a table as the text of the item. */
  write(table: Readonly<Record<string, string>>): string;
}

/** A kind that takes one text; `read` gives null for what is not `expected`. */
function single<T>(
  expected: string,
  toml: SettingKind<T>['toml'],
  read: (text: string) => T | null,
  write: (value: T) => string = String,
): SettingKind<T> {
  return {
    expected,
    toml,
    isList: false,
    isSecret: false,
    read: ([text = '', ...more]) => (more.length > 0 ? null : read(text)),
    write,
  };
}

/** A whole number of something within bounds. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): SettingKind<number> {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return single(`a whole number ${bounds}`, 'number', (text) =>
    /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null,
  );
}

/** A decimal number strictly between two bounds. */
export function numberBetween(min: number, max: number): SettingKind<number> {
  return single(`a number between ${min} and ${max}`, 'number', (text) =>
    /^\d{0,9}(\.\d{1,15})?$/.test(text) && Number(text) > min && Number(text) < max ? Number(text) : null,
  );
}

/** `true` or `false`; a flag without a value is `true`. */
export const booleanValue: SettingKind<boolean> = single('true or false', 'boolean', (text) =>
  text === 'true' ? true : text === 'false' ? false : null,
);

/** One of a few words. */
export function oneOf<const T extends string>(words: readonly T[]): SettingKind<T> {
  const read = (text: string) => words.find((word) => word === text) ?? null;
  return { ...single(`one of ${words.join(', ')}`, 'string', read), words };
}

/** Creates a kind for text with a syntax; `read` returns null, or the reason, for invalid text. */
export function textOf<T extends object>(
  expected: string,
  read: (text: string) => T | string | null,
  write: (value: T) => string,
): SettingKind<T> {
  const readOrNull = (text: string) => {
    const value = read(text);
    return typeof value === 'string' ? null : value;
  };
  return single(expected, 'string', readOrNull, write);
}

/** Text that stays text; `normalise` brings it into one form, and gives null for what is not `expected`. */
export function plainText(
  expected: string,
  normalise: (text: string) => string | null = (text) => (text === '' ? null : text),
): SettingKind<string> {
  return single(expected, 'string', normalise);
}

/** A block of addresses. */
export const cidrBlock: SettingKind<Cidr> = textOf(
  'a CIDR block with zero host bits, such as 10.0.0.0/8',
  parseUnmappedCidr,
  formatCidr,
);

/** A setting that may be left out: null then. */
export function orNone<T>(kind: SettingKind<T>): SettingKind<T | null> {
  return { ...kind, write: (value) => (value === null ? '' : kind.write(value)) };
}

/** Several of a kind, or none. */
export function listOf<T>(kind: SettingKind<T>): SettingKind<readonly T[]> {
  return {
    expected: kind.expected,
    toml: kind.toml,
    isList: true,
    isSecret: kind.isSecret,
    ...(kind.tables && { tables: kind.tables }),
    read: (texts) => {
      const items = texts.filter((text) => text !== '').map((text) => kind.read([text]));
      return items.every((item) => item !== null) ? items : null;
    },
    write: (items) => items.map((item) => kind.write(item)).join(', '),
  };
}

/** A kind whose values may hold a password. Its `write` leaves that out. */
export function secret<T>(kind: SettingKind<T>): SettingKind<T> {
  return { ...kind, expected: `${kind.expected}, or file:/path of a file that contains it`, isSecret: true };
}
