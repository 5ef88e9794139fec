import { VERSION } from '#src/core/base/version.ts';
import type { Command } from '../../command.ts';

/** `lurecheck version` */
export const versionCommand: Command<'version'> = {
  name: 'version',
  operands: '',
  summary: 'print the version',
  options: {},
  examples: [
    { line: 'lurecheck version', purpose: 'Print the version.' },
    { line: 'lurecheck -V', purpose: 'The same.' },
  ],
  async run(_invocation, io) {
    await io.stdout.write(`lurecheck ${VERSION}\n`);
    return 0;
  },
};
