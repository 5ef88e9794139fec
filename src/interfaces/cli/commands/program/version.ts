import { VERSION } from '#src/core/base/version.ts';
import type { Command } from '../../command.ts';

/** `lurecheck version` */
export const versionCommand: Command<'version'> = {
  name: 'version',
  operands: '',
  summary: 'prints the version',
  options: {},
  examples: [
    { line: 'lurecheck version', purpose: 'Which version is this?' },
    { line: 'lurecheck -V', purpose: 'The same.' },
  ],
  async run(_invocation, io) {
    await io.stdout.write(`lurecheck ${VERSION}\n`);
    return 0;
  },
};
