import type { SettingRule, SettingTable, SettingValues } from './setting.ts';
import type { SettingKind } from './setting-kind.ts';
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

/** What is wrong, with the key that it is about; an empty one where it is about none. */
type Fault = readonly [key: string, problem: string];

/** A value as one source spells it: the text, and how a person would name the place. */
interface Spelling {
  readonly place: string;
  readonly texts: readonly string[];
}

/** What belongs to a table of settings beside its rows. */
export interface BesideTable<Values> {
  /** Keys that are understood elsewhere, such as `config`. */
  readonly besides?: readonly string[];
  readonly rules?: readonly SettingRule<Values>[];
}

/**
 * Reads every setting of a table: flag over environment over file over default.
 *
 * @throws SettingsError with all problems at once.
 */
export function readSettings<Table extends SettingTable>(
  table: Table,
  sources: SettingSources,
  { besides = [], rules = [] }: BesideTable<SettingValues<Table>> = {},
): SettingValues<Table> {
  const faults: Fault[] = [];
  const layers = [
    readFile(sources.file, table, faults),
    readEnvironment(sources.environment, table, besides),
    Object.entries(sources.flags).map(([flag, texts]): [string, Spelling] => [
      flag.replaceAll('-', '_'),
      { place: `--${flag}`, texts },
    ]),
  ];
  const spellings = new Map(layers.flat());
  for (const [key, { place }] of layers.flat()) {
    if (!Object.hasOwn(table, key)) faults.push([key, `${place} is not a setting${suggest(key, Object.keys(table))}`]);
  }
  const read: Record<string, unknown> = {};
  for (const [key, { kind, default: fallback }] of Object.entries(table)) {
    const spelling = spellings.get(key);
    if (spelling) faults.push(...faultsOf(kind, spelling).map((problem): Fault => [key, problem]));
    read[key] = spelling ? kind.read(spelling.texts) : fallback;
  }
  const values = read as SettingValues<Table>;
  const wrong = new Set(faults.map(([key]) => key));
  const judgeable = rules.filter(({ between }) => between.every((key) => !wrong.has(key)));
  const problems = [
    ...faults.map(([, problem]) => problem),
    ...judgeable.flatMap((rule) => rule.problem(values) ?? []),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
  return values;
}

function faultsOf(kind: SettingKind<unknown>, { place, texts }: Spelling): string[] {
  const isTooMany = !kind.isList && texts.length > 1;
  const wrong = texts.filter((text) => kind.read([text]) === null);
  return [
    ...(isTooMany ? [`${place} is given ${texts.length} times, but takes one value`] : []),
    ...wrong.map((text) => `${place} is "${text}", but must be ${kind.expected}`),
  ];
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

function readFile(file: SettingSources['file'], table: SettingTable, faults: Fault[]): [string, Spelling][] {
  if (!file) return [];
  let parsed: object;
  try {
    parsed = Bun.TOML.parse(file.text);
  } catch (cause) {
    faults.push(['', `${file.path} is not valid TOML: ${cause instanceof Error ? cause.message : String(cause)}`]);
    return [];
  }
  return Object.entries(parsed).flatMap(([key, value]: [string, unknown]): [string, Spelling][] => {
    const place = `${key} in ${file.path}`;
    const kind = Object.hasOwn(table, key) ? table[key]?.kind : undefined;
    const items = Array.isArray(value) ? value : [value];
    const fits = !kind || ((!Array.isArray(value) || kind.isList) && items.every((item) => typeof item === kind.toml));
    if (fits) return [[key, { place, texts: items.map(String) }]];
    faults.push([key, `${place} must be ${kind.isList ? `an array of ${kind.toml}s` : `a TOML ${kind.toml}`}`]);
    return [];
  });
}
