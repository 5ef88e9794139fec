import { VERSION } from '#src/core/base/version.ts';
import type { Command } from '../../command.ts';
import { manualPage } from '../../manual.ts';

/** `lurecheck man` */
export const manCommand: Command<'man'> = {
  name: 'man',
  operands: '',
  summary: 'print the manual page for man(1)',
  options: {},
  examples: [
    { line: 'lurecheck about man | man -l -', purpose: 'Read it.' },
    { line: 'lurecheck about man > /usr/local/share/man/man1/lurecheck.1', purpose: 'Install the manual page.' },
  ],
  async run({ allCommands }, io) {
    await io.stdout.write(manualPage(await allCommands(), VERSION));
    return 0;
  },
};
