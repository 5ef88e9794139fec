import { PARTS } from '#src/manual/parts.ts';

/** What `help` says of itself; it is no command with flags of its own. */
export const HELP_ITSELF = {
  options: {},
  name: 'help',
  operands: '[COMMAND | TOPIC]',
  summary: 'this text, what one command takes, or a part of the manual',
};

/** What may stand behind `help`, beside the names of commands: the parts of the manual, and a list of these. */
const TOPICS: readonly string[] = ['topics', ...Object.keys(PARTS)];

/** All that may stand behind `help`. */
export const helpfulWords = (commands: readonly string[]): readonly string[] => [...commands, ...TOPICS];
