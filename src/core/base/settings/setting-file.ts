import { isObject } from '../guard.ts';
import type { SettingTable } from './setting.ts';
import type { SettingTables } from './setting-kind.ts';
import { placeOf, type RawSetting, type SettingFault } from './setting-source.ts';

/** A file with settings, as far as TOML goes. */
export interface SettingFile {
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
    const tree = parseTOML(text);
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
export function rawSettingsOfFile(file: SettingFile, table: SettingTable, faults: SettingFault[]): RawSetting[] {
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
