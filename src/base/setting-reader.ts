import type { Setting, SettingTable, SettingValues } from './setting.ts';
import { SettingsError } from './settings-error.ts';
import { suggest } from './suggest.ts';

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
export function readSettings<Table extends SettingTable>(
  table: Table,
  sources: SettingSources,
  besides: readonly string[] = [],
): SettingValues<Table> {
  const problems: string[] = [];
  const layers = [
    readFile(sources.file, table, problems),
    readEnvironment(sources.environment, table, besides),
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
  for (const [key, row] of Object.entries(table)) {
    const spelling = spellings.get(key);
    values[key] = spelling ? readOne(row, spelling, problems) : row.default;
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return values as SettingValues<Table>;
}

function readOne({ kind }: Setting<unknown>, { place, texts }: Spelling, problems: string[]): unknown {
  if (!kind.isList && texts.length > 1) problems.push(`${place} is given ${texts.length} times, but takes one value`);
  const wrong = texts.filter((text) => kind.read([text]) === null);
  problems.push(...wrong.map((text) => `${place} is "${text}", but must be ${kind.expected}`));
  return kind.read(texts);
}

function readEnvironment(
  environment: SettingSources['environment'],
  table: SettingTable,
  besides: readonly string[],
): [string, Spelling][] {
  return Object.entries(environment).flatMap(([name, text]): [string, Spelling][] => {
    const key = name.startsWith(PREFIX) ? name.slice(PREFIX.length).toLowerCase() : '';
    if (key === '' || besides.includes(key) || text === undefined) return [];
    const isList = Object.hasOwn(table, key) && table[key]?.kind.isList === true;
    return [[key, { place: name, texts: isList ? splitAtCommas(text) : [text] }]];
  });
}

/** The items of a list in one variable; a comma with a backslash before it belongs to its item. */
function splitAtCommas(text: string): string[] {
  return text.split(/(?<!\\),/).map((item) => item.trim().replaceAll('\\,', ','));
}

function readFile(file: SettingSources['file'], table: SettingTable, problems: string[]): [string, Spelling][] {
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
    const kind = Object.hasOwn(table, key) ? table[key]?.kind : undefined;
    const items = Array.isArray(value) ? value : [value];
    const fits = !kind || ((!Array.isArray(value) || kind.isList) && items.every((item) => typeof item === kind.toml));
    if (fits) return [[key, { place, texts: items.map(String) }]];
    problems.push(`${place} must be ${kind.isList ? 'an array of ' : 'a TOML '}${kind.toml}`);
    return [];
  });
}
