import { flagOf } from '#src/base/setting-reader.ts';
import { SETTINGS } from '#src/program/config.ts';
import { type Command, optionsOf } from './command.ts';

/** What `lurecheck help` prints. */
export function describeCommands(commands: readonly Command[]): string {
  const rows = commands.map(({ name, operands, summary }) => [`${name} ${operands}`.trim(), summary] as const);
  return `lurecheck tells whether a link is phishing, on this machine, with or without a network.

Usage: lurecheck COMMAND …

${table([...rows, ['help [COMMAND]', 'this text, or what one command takes']])}
`;
}

/** What `lurecheck help COMMAND` prints. */
export function describeCommand(command: Command): string {
  const options = Object.entries(optionsOf(command)).map(
    ([name, { value, description }]) => [`--${name}${value ? ` ${value}` : ''}`, description] as const,
  );
  const settings = command.settings.map((key) => {
    const { kind, description } = SETTINGS[key];
    return [`--${flagOf(key)}`, `${description} ${sentence(kind.expected)}`] as const;
  });
  const parts = [
    `Usage: lurecheck ${command.name} ${command.operands}`.trim(),
    `${sentence(command.summary)}`,
    options.length > 0 ? `Flags:\n${table(options)}` : '',
    settings.length > 0
      ? `Settings (also LURECHECK_… in the environment, and keys of --config FILE):\n${table(settings)}`
      : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(32, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

function sentence(text: string): string {
  const plain = text.replaceAll('`', '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}${plain.endsWith('.') ? '' : '.'}`;
}
