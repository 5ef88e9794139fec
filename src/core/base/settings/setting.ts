import type { SettingKind } from './setting-kind.ts';

/** A setting: one row of a table, without its key. */
export interface Setting<T, Command extends string = string> {
  /** Names of the commands that use it. */
  readonly for: readonly Command[];
  readonly kind: SettingKind<T>;
  readonly default: T;
  /** One sentence, with the unit if the value has one. */
  readonly description: string;
  /** True if a running service applies a change; others need a restart. */
  readonly isReloadable: boolean;
  /** True if it is a former setting that now always has its default; setting it causes a notice. */
  readonly isConstant?: true;
  /** True if hardly any operator sets it: it works, and help and the reference do not list it. */
  readonly isTuning?: true;
}

/** Settings by key, which is the name in a TOML file; the flag and the environment variable follow from it. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** The values of a table. */
export type SettingValues<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer T> ? T : never;
};

/** A constraint between several settings. */
export interface SettingRule<Values> {
  /** Keys of the settings; the rule is skipped if one of their values is invalid. */
  readonly between: readonly (keyof Values & string)[];
  /** Returns the problem as a sentence; null if the rule holds. */
  problem(values: Values): string | null;
}

type CommandsOf<Row> = Row extends Setting<unknown, infer Command> ? Command : never;

/** The keys of the rows that name a command. */
export type SettingKeysFor<Table, Command extends string> = {
  [Key in keyof Table]: Command extends CommandsOf<Table[Key]> ? Key : never;
}[keyof Table];

/** The commands that check URLs. */
export const CHECKING = ['serve', 'check', 'selftest'] as const;

/** Creates a row. */
export function setting<T, const Command extends string>(
  commands: readonly Command[],
  kind: SettingKind<T>,
  fallback: NoInfer<T>,
  description: string,
): Setting<T, Command> {
  return { for: commands, kind, default: fallback, description, isReloadable: false };
}

/** Marks a row as reloadable by SIGHUP. */
export function reloadable<T, Command extends string>(row: Setting<T, Command>): Setting<T, Command> {
  return { ...row, isReloadable: true };
}

/** Marks a row as a former setting. */
export function constant<T, Command extends string>(row: Setting<T, Command>): Setting<T, Command> {
  return { ...row, isConstant: true };
}

/** Marks a row that help and the reference do not list. */
export function tuning<T, Command extends string>(row: Setting<T, Command>): Setting<T, Command> {
  return { ...row, isTuning: true };
}

/** Returns the rows of a table that help and the reference list: what can be set, without what is for tuning. */
export function settableIn(table: SettingTable): SettingTable {
  return Object.fromEntries(
    Object.entries(table).filter(([, { isConstant, isTuning }]) => isConstant !== true && isTuning !== true),
  );
}

/** Returns the defaults of a table. */
export function defaultsOf<Table extends SettingTable>(table: Table): SettingValues<Table> {
  const values: Record<string, unknown> = {};
  for (const [key, row] of Object.entries(table)) values[key] = row.default;
  return values as SettingValues<Table>;
}

/** Returns which values a setting takes, as a noun phrase. */
export const valuesOf = ({ kind }: Pick<Setting<unknown>, 'kind'>): string =>
  `${kind.expected}${kind.isList ? '; repeatable' : ''}`;

/** Returns what a setting is for and which values it takes, in sentences. */
export function explainSetting(setting: Setting<unknown>): string {
  const { kind, description, isReloadable } = setting;
  const values = valuesOf(setting);
  // A boolean needs no explanation: help shows both of its flags.
  const expected = kind.toml === 'boolean' ? '' : ` ${values.charAt(0).toUpperCase()}${values.slice(1)}.`;
  return `${description}${expected}${isReloadable ? ' Reloadable.' : ''}`;
}
