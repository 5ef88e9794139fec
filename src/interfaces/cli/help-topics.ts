import { PARTS } from '#src/service/manual/parts.ts';
import type { Grammar } from './command.ts';

/** What `help` says of itself; it is no command with flags of its own. */
export const HELP_ITSELF = {
  options: { all: { type: 'boolean', description: 'Every command, by topic.' } },
  name: 'help',
  operands: '[COMMAND | TOPIC | settings]',
  summary: 'this text, what one command takes, every setting, or a part of the manual',
} as const satisfies Grammar & { readonly summary: string };

/** What may stand behind `help`, beside the names of commands: the settings, the parts of the manual, and a list of these. */
const TOPICS: readonly string[] = ['settings', 'topics', ...Object.keys(PARTS)];

/** All that may stand behind `help`. */
export const helpfulWords = (commands: readonly string[]): readonly string[] => [...commands, ...TOPICS];
