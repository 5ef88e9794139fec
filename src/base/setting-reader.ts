import type { SettingKind } from './setting.ts';
import { suggest } from './suggest.ts';

/** One row of the table of settings. */
export interface Setting<T> {
  readonly kind: SettingKind<T>;
  readonly default: T;
  /** One sentence, with the unit where the value has one. */
  readonly description: string;
}

/** The values that a table gives. */
export type SettingValues<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer T> ? T : never;
};

/** Where values come from, the strongest first. */
export interface SettingSources {
  /** By flag name without its dashes: `rate-limit`. A flag without a value is `true`. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A TOML file; null where none was named. */
  readonly file: { readonly path: string; readonly text: string } | null;
}

const PREFIX = 'LURECHECK_';

/** The flag of a key: `rate_limit` → `rate-limit`. */
export const flagOf = (key: string): string => key.replaceAll('_', '-');

/** The environment variable of a key: `rate_limit` → `LURECHECK_RATE_LIMIT`. */
export const variableOf = (key: string): string => PREFIX + key.toUpperCase();

/** The settings are wrong; `problems` holds a sentence for each fault of all sources. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** A value as one source spells it: the text, and how a person would name the place. */
interface Spelling {
  readonly place: string;
  readonly texts: readonly string[];
}

/**
 * Reads every setting of a table: flag over environment over file over default.
 *
 * @param besides keys that are understood elsewhere, such as `config`.
 * @throws SettingsError with all problems at once.
 */
export function readSettings<Table extends Readonly<Record<string, Setting<unknown>>>>(
  table: Table,
  sources: SettingSources,
  besides: readonly string[] = [],
): SettingValues<Table> {
  const problems: string[] = [];
  const layers = [
    readFile(sources.file, table, problems),
    readEnvironment(sources.environment, besides),
    Object.entries(sources.flags).map(([flag, texts]): [string, Spelling] => [
      flag.replaceAll('-', '_'),
      { place: `--${flag}`, texts },
    ]),
  ];
  const spellings = new Map(layers.flat());
  for (const [key, { place }] of layers.flat()) {
    if (!Object.hasOwn(table, key)) problems.push(`${place} is not a setting${suggest(key, Object.keys(table))}`);
  }
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(table)) {
    const spelling = spellings.get(key);
    values[key] = spelling ? readOne(setting.kind, spelling, problems) : setting.default;
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return values as SettingValues<Table>;
}

function readOne(kind: SettingKind<unknown>, { place, texts }: Spelling, problems: string[]): unknown {
  if (!kind.isList && texts.length > 1) problems.push(`${place} is given ${texts.length} times, but takes one value`);
  const value = kind.read(kind.isList ? texts.join(',') : (texts.at(-1) ?? ''));
  if (value === null) problems.push(`${place} is "${texts.join(',')}", but must be ${kind.expected}`);
  return value;
}

function readEnvironment(environment: SettingSources['environment'], besides: readonly string[]): [string, Spelling][] {
  return Object.entries(environment).flatMap(([name, text]): [string, Spelling][] => {
    const key = name.startsWith(PREFIX) ? name.slice(PREFIX.length).toLowerCase() : '';
    return key === '' || besides.includes(key) || text === undefined ? [] : [[key, { place: name, texts: [text] }]];
  });
}

function readFile(file: SettingSources['file'], table: object, problems: string[]): [string, Spelling][] {
  if (!file) return [];
  let parsed: object;
  try {
    parsed = Bun.TOML.parse(file.text);
  } catch (cause) {
    problems.push(`${file.path} is not valid TOML: ${cause instanceof Error ? cause.message : String(cause)}`);
    return [];
  }
  return Object.entries(parsed).flatMap(([key, value]: [string, unknown]): [string, Spelling][] => {
    const place = `${key} in ${file.path}`;
    const kind = Object.hasOwn(table, key) ? (table as Record<string, Setting<unknown>>)[key]?.kind : undefined;
    const items = Array.isArray(value) ? value : [value];
    const fits = !kind || ((!Array.isArray(value) || kind.isList) && items.every((item) => isOneOf(item, kind.toml)));
    if (fits) return [[key, { place, texts: items.map(String) }]];
    problems.push(`${place} must be ${kind.isList ? 'an array of ' : 'a TOML '}${kind.toml.join(' or ')}`);
    return [];
  });
}

const isOneOf = (value: unknown, types: readonly string[]): boolean => types.includes(typeof value);
