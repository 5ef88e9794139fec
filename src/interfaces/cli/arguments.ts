import { parseArgs } from 'node:util';
import { SETTINGS } from '#src/app/config.ts';
import { flagOf } from '#src/core/base/settings/setting-reader.ts';
import { suggest } from '#src/core/base/text/edit-distance.ts';
import { type Grammar, UsageError } from './command.ts';
import { COMMON_OPTIONS, type Flag, flagsOf } from './flags.ts';

/** Flags before a command that need a value, by their names with dashes. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  '--config',
  ...Object.entries(COMMON_OPTIONS).flatMap(([name, { type }]) => (type === 'string' ? [`--${name}`] : [])),
  ...Object.entries(SETTINGS).flatMap(([key, { kind }]) => (kind.toml === 'boolean' ? [] : [`--${flagOf(key)}`])),
]);

/** Moves flags before the command behind it; returns arguments without a command unchanged. */
export function commandFirst(argv: readonly string[], isCommand: (word: string) => boolean): readonly string[] {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (isCommand(word)) return [word, ...argv.slice(0, at), ...argv.slice(at + 1)];
    // What follows a flag may be its value.
    if (!word.startsWith('-') && !argv[at - 1]?.startsWith('-')) return argv;
    if (WITH_VALUE.has(word)) at++;
  }
  return argv;
}

/** Parsed arguments of a command. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** The values of each option and setting, by its name without dashes; `true` for a switch. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Values that may follow a switch; the setting itself validates them. */
const YES_OR_NO = ['true', 'false', 'yes', 'no', 'on', 'off'];

/**
 * Parses the arguments of a command.
 *
 * @throws UsageError for an unknown flag, a flag without its value or with one too many, and an operand too many.
 */
export function readArguments(command: Grammar, argv: readonly string[]): Arguments {
  const flags = flagsOf(command);
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  /** The preceding switch, which may be followed by a boolean. */
  let asked: Flag | null = null;
  for (const token of tokensOf(argv, flags)) {
    const before: Flag | null = asked;
    asked = null;
    if (token.kind === 'option') {
      const flag = flags.find(({ name }) => name === token.name);
      if (!flag) throw new UsageError(unknownFlag(token.rawName, command, flags));
      append(values, flag, valueBehind(flag, token.value, flags));
      if (flag.isSetting && flag.takes === null && token.value === undefined) asked = flag;
    } else if (token.kind === 'positional') {
      if (before && YES_OR_NO.includes(token.value)) values.get(before.key)?.splice(-1, 1, token.value);
      else positionals.push(token.value);
    }
  }
  const [first] = positionals;
  const isHelpOrVersion = values.has('help') || values.has('version');
  if (command.operands === '' && first !== undefined && !isHelpOrVersion) {
    throw new UsageError(`${command.name} takes no operand: unexpected "${first}"`);
  }
  return { positionals, values };
}

/** Splits the arguments into tokens without validating them. */
function tokensOf(argv: readonly string[], flags: readonly Flag[]) {
  const options = Object.fromEntries(
    flags.map(({ name, short, takes }) => {
      const type: 'boolean' | 'string' = takes === null ? 'boolean' : 'string';
      return [name, short === null ? { type } : { type, short }];
    }),
  );
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens ?? [];
}

/** Returns the value of a flag. Throws a UsageError if it is missing or not expected. */
function valueBehind(flag: Flag, word: string | undefined, flags: readonly Flag[]): string {
  const { name, takes, isSetting, impliedValue } = flag;
  if (takes === null) {
    if (word === undefined) return impliedValue;
    if (isSetting && impliedValue === 'true') return word;
    throw new UsageError(`--${name} takes no value`);
  }
  const isFlag = word?.startsWith('--') && flags.some((other) => word === `--${other.name}`);
  if (word === undefined || isFlag) throw new UsageError(`--${name} needs a value: ${takes}`);
  return word;
}

function append(values: Map<string, string[]>, { key }: Flag, value: string): void {
  const before = values.get(key);
  if (before) before.push(value);
  else values.set(key, [value]);
}

function unknownFlag(written: string, { name }: Grammar, flags: readonly Flag[]): string {
  const elsewhere = Object.entries(SETTINGS).find(([key]) => `--${flagOf(key)}` === written);
  if (elsewhere) return `${written} is for ${elsewhere[1].for.join(', ')}, not for ${name}`;
  const known = flags.map(({ name }) => `--${name}`);
  return `unknown flag ${written}${written.startsWith('--') ? suggest(written, known) : ''}`;
}
