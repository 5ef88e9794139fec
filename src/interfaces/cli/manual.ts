import { SETTING_GROUPS } from '#src/app/config.ts';
import { explainSetting, settableIn } from '#src/core/base/settings/setting.ts';
import { flagOf } from '#src/core/base/settings/setting-reader.ts';
import { variableOf } from '#src/core/base/settings/setting-source.ts';
import type { Command, Option } from './command.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { COMMON_OPTIONS, writtenValue } from './flags.ts';
import { writtenName } from './merged-commands.ts';

/** The manual page in the language of man(7). */
export function manualPage(commands: readonly Command[], version: string): string {
  return [
    `.TH LURECHECK 1 "" "lurecheck ${version}" "User Commands"`,
    // Long addresses cannot be broken, and the lines before them not be stretched to the margin.
    '.ad l',
    '.SH NAME',
    'lurecheck \\- detect phishing links',
    '.SH SYNOPSIS',
    '.B lurecheck',
    '.I COMMAND',
    '\\&...',
    '.SH DESCRIPTION',
    plain(
      'Classifies links as phishing or not, on this host, with or without a network: as a service with a web page and an HTTP API, and on the command line.',
    ),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH OPTIONS OF EVERY COMMAND',
    ...optionLines(COMMON_OPTIONS),
    '.SH SETTINGS',
    plain(
      'Each setting is a flag of the commands that are listed with it, an environment variable and a key of a TOML file (--config FILE). Flags override the environment, which overrides the file.',
    ),
    ...SETTING_GROUPS.flatMap(([need, table]) => [
      `.SS ${plain(need)}`,
      ...Object.entries(settableIn(table)).flatMap(([key, row]) => {
        const byDefault = row.kind.write(row.default);
        const names = `--${flagOf(key)}, ${key}, ${variableOf(key)}`;
        const about = `${explainSetting(row)}${byDefault === '' ? '' : ` Default: ${byDefault}.`} For ${row.for.join(', ')}.`;
        return item(names, about);
      }),
    ]),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(({ code, meaning }) => item(String(code), `${meaning}.`)),
    '.SH SEE ALSO',
    plain('Operator manual: lurecheck help topics lists its parts; a service shows it at /help.'),
    '.SH ENVIRONMENT',
    ...item('NO_COLOR, FORCE_COLOR', 'Disable or enable colours, unless --color is given.'),
    ...item('TERM', 'No colours and no progress if set to dumb.'),
    '',
  ].join('\n');
}

function commandLines({ name, operands, summary, options, examples }: Command): string[] {
  return [
    `.SS ${plain(`${writtenName(name)} ${operands}`.trim())}`,
    plain(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`),
    ...optionLines(options),
    ...examples.flatMap(({ line, purpose }) => ['.PP', plain(purpose), '.PP', '.RS', '.nf', plain(line), '.fi', '.RE']),
  ];
}

function optionLines(options: Readonly<Record<string, Option>>): string[] {
  return Object.entries(options).flatMap(([name, option]) => {
    const spelt = option.short === undefined ? `--${name}` : `-${option.short}, --${name}`;
    return item(`${spelt} ${writtenValue(option)}`.trim(), option.description);
  });
}

const item = (term: string, text: string): string[] => ['.TP', `\\fB${plain(term)}\\fR`, plain(text)];

/** Text that roff takes for nothing else: no escape, no request at the start of a line, no hyphen for a dash. */
function plain(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
