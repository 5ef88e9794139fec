import { FIRST_SETTINGS, SETTING_GROUPS, SETTINGS, settingsFor } from '#src/app/config.ts';
import { explainSetting, type SettingTable, settableIn } from '#src/core/base/settings/setting.ts';
import { flagOf } from '#src/core/base/settings/setting-reader.ts';
import { variableOf } from '#src/core/base/settings/setting-source.ts';
import { PARTS } from '#src/service/manual/parts.ts';
import type { Command, Option } from './command.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { COMMON_OPTIONS, optionsOf, writtenValue } from './flags.ts';
import { HELP_COMMAND } from './help-topics.ts';
import { commandParts, operandsWithParts, writtenName } from './merged-commands.ts';
import { COMMAND_GROUPS, FIRST_COMMANDS } from './registry.ts';

/** Characters in a line of help. */
const WIDTH = 100;

/** The widest that a left column may be; what is longer has its explanation on the next line. */
const LEFT_WIDTH = 28;

type Row = readonly [left: string, right: string];

/** Returns the output of `lurecheck help`, which fits a terminal of 24 lines of 80 characters. */
export function describeFirst(): string {
  return text([
    'lurecheck classifies links as phishing or not, with or without a network.',
    'Usage: lurecheck COMMAND …',
    table(FIRST_COMMANDS),
    'Examples:\n  lurecheck check https://example.com/\n  lurecheck serve --listen 127.0.0.1:8080',
    table([
      ['help --all', 'every command, by topic'],
      ['help COMMAND', 'what one command takes'],
      ['help settings', 'every setting'],
      ['help topics', 'the parts of the manual'],
    ]),
  ]);
}

/** Returns the output of `lurecheck help settings`. */
export function describeSettings(known: SettingTable = SETTINGS): string {
  const listed = settableIn(known);
  const first = Object.fromEntries(FIRST_SETTINGS.flatMap((key) => (listed[key] ? [[key, listed[key]]] : [])));
  const others = Object.fromEntries(Object.entries(listed).filter(([key]) => !Object.hasOwn(first, key)));
  const groups = [['What most services set', first] as const, ...groupsOf(others)];
  const tuned = Object.keys(known).filter((key) => known[key]?.isTuning === true);
  return text([
    ABOUT_SETTINGS,
    ...groups.map(([need, group]) => section(need, table(settingRows(group, true)))),
    section(
      'For tuning, each explained by help NAME',
      wrap(tuned.join(', '), WIDTH - 2)
        .map((line) => `  ${line}`)
        .join('\n'),
    ),
  ]);
}

/** Returns the output of `lurecheck help --all`. */
export function describeCommands(commands: readonly Command[]): string {
  const all = [...commands, HELP_COMMAND];
  const groups = COMMAND_GROUPS.map(([need, names]) => {
    const rows = all
      .filter(({ name }) => names.includes(name))
      .flatMap((command): Row[] => [
        [`${command.name} ${command.operands}`.trim(), command.summary],
        ...partRows(command.name, commands, (part) => `  ${part}`),
      ]);
    return section(need, table(rows));
  });
  const shown = commands.filter(({ name }) => name === 'serve' || name === 'check');
  return text([
    'lurecheck classifies links as phishing or not, on this host, with or without a network.',
    'Usage: lurecheck COMMAND …',
    ...groups,
    describeParts().trimEnd(),
    section('Examples', examplesOf(shown.flatMap(({ examples }) => examples.slice(0, 1)))),
    section('Exit codes', exitCodes()),
  ]);
}

/** Returns the output of `lurecheck help topics`: the parts of the manual. */
export function describeParts(): string {
  const rows = Object.entries(PARTS).map(([name, about]): Row => [`help ${name}`, about]);
  return `${section('The operator manual, also at /help of a service', table(rows))}\n`;
}

/** Returns the text of `lurecheck help rate_limit`; null if there is no such setting. */
export function describeSetting(name: string, known: SettingTable = SETTINGS): string | null {
  const key = name.replaceAll('-', '_');
  const row = Object.hasOwn(known, key) ? known[key] : undefined;
  if (row === undefined || row.isConstant) return null;
  return text([
    table(settingRows({ [key]: row }, true)),
    `  ${key} in the file, ${variableOf(key)}; for ${row.for.join(', ')}.`,
  ]);
}

const ABOUT_SETTINGS = `Settings are also keys of --config FILE, and variables: --rate-limit, rate_limit, LURECHECK_RATE_LIMIT.
Repeatable: several flags, comma-separated values in the variable (\\, for a literal comma), an array
in the file. Reloadable: takes effect at SIGHUP.`;

/** Returns the output of `lurecheck help COMMAND`. */
export function describeCommand(
  command: Command,
  known: SettingTable = SETTINGS,
  commands: readonly Command[] = [],
): string {
  const { name, summary, examples } = command;
  const all = Object.entries(settableIn(settingsFor(name, known)));
  const first = Object.fromEntries(all.filter(([key]) => FIRST_SETTINGS.some((one) => one === key)));
  const settings = groupsOf(first);
  const others = all.length - Object.keys(first).length;
  return text([
    usageOf(command),
    sentence(summary),
    section('Examples', examplesOf(examples)),
    section('Parts, each with help of its own', table(partRows(name, commands, (part) => `help ${name} ${part}`))),
    section('Flags', optionTable(optionsOf(command))),
    section('Everywhere', optionTable(COMMON_OPTIONS)),
    all.length > 0 ? ABOUT_SETTINGS : '',
    ...settings.map(([need, group]) => section(need, table(settingRows(group, RELOADABLE_COMMANDS.has(name))))),
    others > 0 ? `${others} more settings: lurecheck help settings` : '',
    section('Exit codes', exitCodes()),
  ]);
}

/** The name by which a command was asked for, and how it is written as a part of another one. */
function usageOf(command: Command): string {
  const names = [...new Set([command.name, writtenName(command.name)])];
  return names
    .map((name, at) => `${at === 0 ? 'Usage:' : '   or:'} lurecheck ${name} ${operandsWithParts(command)}`.trimEnd())
    .join('\n');
}

/** Rows for the parts of a command, those that are one command together; `write` says how a part is written. */
function partRows(name: string, commands: readonly Command[], write: (part: string) => string): Row[] {
  const parts = Map.groupBy(commandParts(name), ([, command]) => command);
  return [...parts].flatMap(([command, named]) => {
    const found = commands.find((one) => one.name === command);
    return found === undefined ? [] : [[write(named.map(([part]) => part).join(' | ')), found.summary]];
  });
}

/** The commands with the settings of a running service; any other one ends at SIGHUP. */
const RELOADABLE_COMMANDS: ReadonlySet<string> = new Set(['serve', 'config']);

/** The settings by what they are needed for; no group is empty. */
function groupsOf(settings: SettingTable): [need: string, table: SettingTable][] {
  const left = new Map(Object.entries(settings));
  const groups = SETTING_GROUPS.map(([need, { ...table }]): [string, SettingTable] => {
    const rows = Object.keys(table).filter((key) => left.has(key));
    return [need, Object.fromEntries(rows.flatMap((key) => take(left, key)))];
  });
  return [...groups, ['Others', Object.fromEntries(left)] as [string, SettingTable]].filter(
    ([, table]) => Object.keys(table).length > 0,
  );
}

function take<V>(map: Map<string, V>, key: string): [string, V][] {
  const value = map.get(key);
  map.delete(key);
  return value === undefined ? [] : [[key, value]];
}

function settingRows(settings: SettingTable, rereads: boolean): Row[] {
  return Object.entries(settings).map(([key, row]) => {
    const byDefault = row.kind.write(row.default);
    const name = row.kind.toml === 'boolean' ? `--[no-]${flagOf(key)}` : `--${flagOf(key)}`;
    const meaning = explainSetting(rereads ? row : { ...row, isReloadable: false });
    return [name, `${meaning}${byDefault === '' ? '' : ` Default: ${byDefault}.`}`];
  });
}

function optionTable(options: Readonly<Record<string, Option>>): string {
  return table(
    Object.entries(options).map(([name, option]): Row => {
      const spelt = option.short ? `-${option.short}, --${name}` : `--${name}`;
      return [`${spelt} ${writtenValue(option)}`.trim(), option.description];
    }),
  );
}

const examplesOf = (examples: Command['examples'][number][] | Command['examples']): string =>
  examples.map(({ line, purpose }) => `  ${line}\n      ${purpose}`).join('\n');

function exitCodes(): string {
  return table(EXIT_CODES.map(({ code, meaning }) => [String(code), meaning]));
}

const text = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;

const section = (title: string, content: string): string => (content === '' ? '' : `${title}:\n${content}`);

function table(rows: readonly Row[]): string {
  const fitting = rows.map(([left]) => left.length).filter((length) => length <= LEFT_WIDTH);
  const indent = Math.max(0, ...fitting) + 4;
  return rows
    .map(([left, right]) => {
      const lines = wrap(right, WIDTH - indent).map((line) => ' '.repeat(indent) + line);
      const [first = '', ...rest] = lines;
      if (left.length + 4 > indent) return [`  ${left}`, ...lines].join('\n');
      return [`  ${left.padEnd(indent - 2)}${first.trimStart()}`, ...rest].join('\n');
    })
    .join('\n');
}

/** The lines of a text, none longer than `width` but for a single word. */
function wrap(words: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`;
}
