import { PARTS } from '#src/service/manual/parts.ts';
import type { Grammar } from './command.ts';

/** Help of `help`, which has no flags of its own. */
export const HELP_COMMAND = {
  options: { all: { type: 'boolean', description: 'List every command, by topic.' } },
  name: 'help',
  operands: '[COMMAND | TOPIC | settings]',
  summary: 'explain a command, the settings or a topic',
} as const satisfies Grammar & { readonly summary: string };

/** Operands of `help` besides commands: the settings, the parts of the manual, and a list of these. */
const TOPICS: readonly string[] = ['settings', 'topics', ...Object.keys(PARTS)];

/** Returns all operands of `help`. */
export const helpTopics = (commands: readonly string[]): readonly string[] => [...commands, ...TOPICS];
