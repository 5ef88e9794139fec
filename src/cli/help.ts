import { explainSetting, type SettingTable } from '#src/base/setting.ts';
import { flagOf } from '#src/base/setting-reader.ts';
import { SETTINGS, settingsFor } from '#src/program/config.ts';
import { type Command, optionsOf } from './command.ts';

/** What `lurecheck help` prints. */
export function describeCommands(commands: readonly Command[]): string {
  const rows = commands.map(({ name, operands, summary }) => [`${name} ${operands}`.trim(), summary] as const);
  return `lurecheck tells whether a link is phishing, on this machine, with or without a network.

Usage: lurecheck COMMAND …

${table([...rows, ['help [COMMAND]', 'this text, or what one command takes']])}
`;
}

const ABOUT_SETTINGS = `Settings, also keys of --config FILE and LURECHECK_… in the environment.
Where one may be given several times, repeat the flag; a variable has commas between (\\, is one within), a file an array.`;

/** What `lurecheck help COMMAND` prints. */
export function describeCommand(command: Command, known: SettingTable = SETTINGS): string {
  const options = Object.entries(optionsOf(command)).map(
    ([name, { value, description }]) => [`--${name}${value ? ` ${value}` : ''}`, description] as const,
  );
  const settings = Object.entries(settingsFor(command.name, known)).map(([key, row]) => {
    const byDefault = row.kind.write(row.default);
    return [`--${flagOf(key)}`, `${explainSetting(row)}${byDefault === '' ? '' : ` Default: ${byDefault}.`}`] as const;
  });
  const parts = [
    `Usage: lurecheck ${command.name} ${command.operands}`.trim(),
    `${sentence(command.summary)}`,
    options.length > 0 ? `Flags:\n${table(options)}` : '',
    settings.length > 0 ? `${ABOUT_SETTINGS}\n${table(settings)}` : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(32, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
