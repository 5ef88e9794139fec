import { readFileSync } from 'node:fs';
import { namedFileProblem, readErrorText } from '../files/named-file.ts';
import { suggest } from '../text/edit-distance.ts';
import type { SettingRule, SettingTable, SettingValues } from './setting.ts';
import { rawSettingsOfFile, type SettingFile } from './setting-file.ts';
import type { SettingKind } from './setting-kind.ts';
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
    const due = isFile ? `is "${written}", which must hold` : kind.isSecret ? 'must be' : `is "${text}", but must be`;
    if (kind.read([text]) === null) problems.push(`${place} ${due} ${kind.expected}`);
    return text;
  });
  faults.push(...problems.map((problem) => ({ key: spelling.key, problem })));
  return problems.length > 0 ? null : kind.read(texts);
}

/** Prefix of the path of a file that contains a secret. */
const SECRET_FILE = 'file:';

function readSecret(place: string, written: string, problems: string[]): string | null {
  try {
    return readFileSync(written.slice(SECRET_FILE.length), 'utf8').trim();
  } catch (cause) {
    problems.push(namedFileProblem(place, written, readErrorText(cause)));
    return null;
  }
}
