import { SETTINGS } from '#src/app/config.ts';
import { flagOf } from '#src/core/base/settings/setting-reader.ts';
import { COMMON_OPTIONS } from './flags.ts';

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
