import type { SettingKind } from './setting-kind.ts';

/** One row of a table of settings: all that is known about a setting, but for its key. */
export interface Setting<T, Command extends string = string> {
  /** Names of the commands to which it means something. */
  readonly for: readonly Command[];
  readonly kind: SettingKind<T>;
  readonly default: T;
  /** One sentence, with the unit where the value has one. */
  readonly description: string;
  /** Whether a running service takes a change over; any other takes a restart. */
  readonly isReread: boolean;
  /** Whether it was a setting once, and always has its default now: old configurations that give it get a notice. */
  readonly isConstant?: true;
}

/** Settings by key, which is the name in a TOML file; the flag and the environment variable follow from it. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** The values that a table gives. */
export type SettingValues<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer T> ? T : never;
};

/** What must hold between several settings. */
export interface SettingRule<Values> {
  /** The keys of those; the rule is not asked where the value of one is itself wrong. */
  readonly between: readonly (keyof Values & string)[];
  /** The sentence that says what is wrong; null where it holds. */
  problem(values: Values): string | null;
}

/** The commands that a row names. */
type CommandsOf<Row> = Row extends Setting<unknown, infer Command> ? Command : never;

/** The commands that a table names. */
export type CommandsWithSettings<Table> = CommandsOf<Table[keyof Table]>;

/** The keys of the rows that name a command. */
export type SettingKeysFor<Table, Command extends string> = {
  [Key in keyof Table]: Command extends CommandsOf<Table[Key]> ? Key : never;
}[keyof Table];

/** The commands that check. */
export const CHECKING = ['serve', 'check', 'selftest'] as const;

/** Writes a row. */
export function setting<T, const Command extends string>(
  commands: readonly Command[],
  kind: SettingKind<T>,
  fallback: NoInfer<T>,
  description: string,
): Setting<T, Command> {
  return { for: commands, kind, default: fallback, description, isReread: false };
}

/** A row whose change a running service takes over when it is told to read its settings again. */
export function reread<T, Command extends string>(row: Setting<T, Command>): Setting<T, Command> {
  return { ...row, isReread: true };
}

/** A row of what was a setting once. */
export function constant<T, Command extends string>(row: Setting<T, Command>): Setting<T, Command> {
  return { ...row, isConstant: true };
}

/** The rows of a table that can be set. */
export function settableIn(table: SettingTable): SettingTable {
  return Object.fromEntries(Object.entries(table).filter(([, { isConstant }]) => isConstant !== true));
}

/** What a table says where nobody says anything else. */
export function defaultsOf<Table extends SettingTable>(table: Table): SettingValues<Table> {
  const values: Record<string, unknown> = {};
  for (const [key, row] of Object.entries(table)) values[key] = row.default;
  return values as SettingValues<Table>;
}

/** What a setting is for and what may be written, in sentences. */
export function explainSetting({ kind, description, isReread }: Setting<unknown>): string {
  const expected = `${kind.expected.charAt(0).toUpperCase()}${kind.expected.slice(1)}.`;
  return `${description} ${expected}${isReread ? ' Read again at SIGHUP.' : ''}`;
}
