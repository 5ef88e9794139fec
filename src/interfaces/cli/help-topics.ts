import { PARTS } from '#src/service/manual/parts.ts';
import type { Grammar } from './command.ts';

/** What `help` says of itself; it is no command with flags of its own. */
export const HELP_COMMAND = {
  options: { all: { type: 'boolean', description: 'List every command, by topic.' } },
  name: 'help',
  operands: '[COMMAND | TOPIC | settings]',
  summary: 'explain a command, the settings or a topic',
} as const satisfies Grammar & { readonly summary: string };

/** What may stand behind `help`, beside the names of commands: the settings, the parts of the manual, and a list of these. */
const TOPICS: readonly string[] = ['settings', 'topics', ...Object.keys(PARTS)];

/** All that may stand behind `help`. */
export const helpTopics = (commands: readonly string[]): readonly string[] => [...commands, ...TOPICS];
