import { readFileSync } from 'node:fs';
import { endlessFileProblem, namedFileProblem, readErrorText } from '../files/named-file.ts';
import { isObject } from '../guard.ts';
import { suggest } from '../text/edit-distance.ts';
import { visibleInTerminal } from '../text/untrusted-text.ts';
import type { SettingRule, SettingTable, SettingValues } from './setting.ts';
import type { SettingKind, SettingTables } from './setting-kind.ts';
import {
  type Environment,
  placeOf,
  type RawSetting,
  readEnvironment,
  type SettingFault,
  type SettingOrigin,
  SettingsError,
} from './setting-source.ts';

/** Sources of values, the strongest first. */
export interface SettingSources {
  /** By flag name without its dashes: `rate-limit`. A flag without a value is `true`. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly environment: Environment;
  /** Null if none was named. */
  readonly file: SettingFile | null;
}

/** The flag of a key: `rate_limit` → `rate-limit`. */
export const flagOf = (key: string): string => key.replaceAll('_', '-');

/** Options of a table of settings. */
export interface TableOptions<Values> {
  /** Keys that are understood elsewhere, such as `config`. */
  readonly otherKeys?: readonly string[];
  readonly rules?: readonly SettingRule<Values>[];
}

/** Result of reading all sources. */
export interface SettingsReading<Values> {
  readonly values: Values;
  /** Source of each value. */
  readonly origins: Readonly<Record<keyof Values & string, SettingOrigin>>;
  /** One sentence for each given setting that no longer exists and is ignored. */
  readonly notices: readonly string[];
  /** Variables that bear this program's prefix, and are another's. */
  readonly foreign: readonly string[];
}

/**
 * Reads every setting of a table: flag over environment over file over default.
 *
 * @throws SettingsError with all problems at once.
 */
export function readSettings<Table extends SettingTable>(
  table: Table,
  sources: SettingSources,
  { otherKeys = [], rules = [] }: TableOptions<SettingValues<Table>> = {},
): SettingsReading<SettingValues<Table>> {
  const faults: SettingFault[] = [];
  const { rawSettings: ofEnvironment, foreign } = readEnvironment(sources.environment, table, otherKeys);
  const all = [
    ...(sources.file ? rawSettingsOfFile(sources.file, table, faults) : []),
    ...ofEnvironment,
    ...Object.entries(sources.flags).map(([flag, texts]): RawSetting => {
      return { key: flag.replaceAll('-', '_'), origin: { source: 'flag', name: `--${flag}` }, texts };
    }),
  ];
  const isConstant = ({ key }: RawSetting) => Object.hasOwn(table, key) && table[key]?.isConstant === true;
  const notices = all.filter(isConstant).map((spelling) => {
    const { kind, default: always } = table[spelling.key] ?? {};
    return `${placeOf(spelling)} is no longer a setting and is ignored: it is always ${kind?.write(always)}`;
  });
  const rawSettings = all.filter((spelling) => !isConstant(spelling));
  for (const spelling of rawSettings) {
    const { key } = spelling;
    if (Object.hasOwn(table, key)) continue;
    faults.push({
      key,
      problem: `${placeOf(spelling)} is not a setting${suggest(
        key,
        Object.keys(table).filter((one) => table[one]?.isConstant !== true),
      )}`,
    });
  }
  const strongest = new Map(rawSettings.map((spelling) => [spelling.key, spelling]));
  const read: Record<string, unknown> = {};
  const origins: Record<string, SettingOrigin> = {};
  for (const [key, { kind, default: fallback }] of Object.entries(table)) {
    const spelling = strongest.get(key);
    origins[key] = spelling?.origin ?? { source: 'default' };
    read[key] = spelling ? readRawSetting(kind, spelling, faults) : fallback;
  }
  const values = read as SettingValues<Table>;
  const wrong = new Set(faults.map(({ key }) => key));
  const applicable = rules.filter(({ between }) => between.every((key) => !wrong.has(key)));
  const problems = [
    ...faults.map(({ problem }) => problem),
    ...applicable.flatMap((rule) => rule.problem(values) ?? []),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
  return { values, origins: origins as SettingsReading<SettingValues<Table>>['origins'], notices, foreign };
}

/** The value that a source spells; null if that is a fault. */
function readRawSetting(kind: SettingKind<unknown>, spelling: RawSetting, faults: SettingFault[]): unknown {
  const place = placeOf(spelling);
  const problems: string[] = [];
  if (!kind.isList && spelling.texts.length > 1) {
    problems.push(`${place} is given ${spelling.texts.length} times, but takes one value`);
  }
  const texts = spelling.texts.map((written) => {
    const isFile = kind.isSecret && written.startsWith(SECRET_FILE);
    const text = isFile ? readSecret(place, written, problems) : written;
    if (text === null) return '';
    // Secret values are not in messages.
    const due = isFile
      ? `is "${written}", which must hold`
      : kind.isSecret
        ? 'must be'
        : `is "${visibleInTerminal(text)}", but must be`;
    if (kind.read([text]) === null) problems.push(`${place} ${due} ${kind.expected}`);
    return text;
  });
  faults.push(...problems.map((problem) => ({ key: spelling.key, problem })));
  return problems.length > 0 ? null : kind.read(texts);
}

/** Prefix of the path of a file that contains a secret. */
const SECRET_FILE = 'file:';

function readSecret(place: string, written: string, problems: string[]): string | null {
  const path = written.slice(SECRET_FILE.length);
  const problem = endlessFileProblem(path);
  if (problem !== null) {
    problems.push(namedFileProblem(place, written, problem));
    return null;
  }
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    problems.push(namedFileProblem(place, written, readErrorText(cause)));
    return null;
  }
}

/** A file with settings, as far as TOML goes. */
interface SettingFile {
  readonly path: string;
  /** In the order in which they stand there. */
  readonly entries: readonly { readonly key: string; readonly line: number; readonly value: unknown }[];
  /** Describes the first syntax error; null if there is none. */
  readonly problem: string | null;
}

/** Reads the text of a TOML file. Never throws. */
export async function readSettingFile(path: string, text: string): Promise<SettingFile> {
  // Only who names a file waits for its language.
  const { parseTOML, getStaticTOMLValue, ParseError } = await import('toml-eslint-parser');
  try {
    // Some editors begin UTF-8 with a byte order mark.
    const tree = parseTOML(text.replace(/^\ufeff/, ''));
    const values = Object.entries(getStaticTOMLValue(tree));
    const lines = new Map<string, number>();
    for (const { key, line } of tree.body[0].body.map(headOf)) lines.getOrInsert(key, line);
    return { path, entries: values.map(([key, value]) => ({ key, line: lines.get(key) ?? 1, value })), problem: null };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    // Its columns are counted from 0.
    const place = `${path}:${error.lineNumber}:${error.column + 1}`;
    return { path, entries: [], problem: `${place} is not valid TOML: ${error.message}` };
  }
}

type TopLevelNode = ReturnType<typeof import('toml-eslint-parser').parseTOML>['body'][0]['body'][number];

/** The outermost key of a pair or of a table, and its line. */
function headOf(node: TopLevelNode): { key: string; line: number } {
  const [first] = node.key.keys;
  const key = first === undefined ? '' : first.type === 'TOMLBare' ? first.name : first.value;
  return { key, line: node.loc.start.line };
}

/** Returns the settings of a table in a file; a value of another type than its setting's is an error. */
function rawSettingsOfFile(file: SettingFile, table: SettingTable, faults: SettingFault[]): RawSetting[] {
  if (file.problem !== null) faults.push({ key: '', problem: file.problem });
  const settings = file.entries.flatMap((entry): RawSetting[] => {
    const { key, line, value } = entry;
    const origin = { source: 'file', path: file.path, line } as const;
    const listed = Object.entries(table).find(([, row]) => row.kind.tables?.key === key);
    if (listed?.[1].kind.tables) return itemsOfTables(entry, { key: listed[0], origin }, listed[1].kind.tables, faults);
    const kind = Object.hasOwn(table, key) ? table[key]?.kind : undefined;
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const fits = !kind || ((!Array.isArray(value) || kind.isList) && items.every((item) => typeof item === kind.toml));
    if (fits) return [{ key, origin, texts: items.map(String) }];
    const due = kind.isList ? `an array of ${kind.toml}s` : `a TOML ${kind.toml}`;
    faults.push({ key, problem: `${placeOf({ key, origin })} must be ${due}` });
    return [];
  });
  // A list may be an array and tables at once.
  return [...Map.groupBy(settings, ({ key }) => key).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, texts: [first, ...others].flatMap(({ texts }) => texts) }] : [],
  );
}

function itemsOfTables(
  { key, value }: SettingFile['entries'][number],
  setting: Pick<RawSetting, 'key' | 'origin'>,
  { members, write }: SettingTables,
  faults: SettingFault[],
): RawSetting[] {
  const place = placeOf({ ...setting, key });
  const fault = (problem: string) => {
    faults.push({ key: setting.key, problem: `${place} ${problem}` });
    return [];
  };
  if (!Array.isArray(value) || !value.every(isObject)) return fault(`must be tables, each below [[${key}]]`);
  const names = value.flatMap((one) => Object.keys(one));
  const unknown = names.find((name) => !members.includes(name));
  if (unknown !== undefined) return fault(`has the unknown member ${unknown}; expected ${members.join(', ')}`);
  const items = value.filter((one): one is Record<string, string> =>
    Object.values(one).every((member) => typeof member === 'string'),
  );
  if (items.length < value.length) return fault('has a member that is not a string');
  return [{ ...setting, texts: items.map(write) }];
}
