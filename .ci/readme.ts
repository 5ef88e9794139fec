import { flagOf, variableOf } from '#src/base/setting-reader.ts';
import { SETTING_KEYS, SETTINGS } from '#src/config.ts';

const START = '<!-- settings: written by `bun .ci/readme.ts` -->';
const END = '<!-- end of settings -->';

/** The README with its table of settings made anew from the code; a test holds the two together. */
export function withSettings(readme: string): string {
  const [before, rest = ''] = readme.split(START);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error('the README has lost the markers of its table of settings');
  return `${before}${START}\n\n${settingsTable()}\n\n${END}${after}`;
}

function settingsTable(): string {
  const rows = SETTING_KEYS.map((key) => {
    const { kind, description } = SETTINGS[key];
    return `| \`${key}\` | ${escapeCell(defaultOf(key))} | ${escapeCell(`${description} ${sentence(kind.expected)}`)} |`;
  });
  return ['| key | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

function defaultOf<Key extends (typeof SETTING_KEYS)[number]>(key: Key): string {
  const { kind, default: value } = SETTINGS[key];
  // The kind of a setting reads and writes its own default.
  const text = (kind.write as (value: unknown) => string)(value);
  return text === '' ? '–' : `\`${text}\``;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const escapeCell = (text: string) => text.replaceAll('|', '\\|');

if (import.meta.main) {
  const path = new URL('../README.md', import.meta.url);
  await Bun.write(path, withSettings(await Bun.file(path).text()));
  process.stdout.write(
    `${SETTING_KEYS.length} settings, such as --${flagOf('rate_limit')} or ${variableOf('rate_limit')}\n`,
  );
}
