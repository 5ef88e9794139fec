import type { Command } from '../../command.ts';

/** `lurecheck licenses` */
export const licensesCommand: Command<'licenses'> = {
  name: 'licenses',
  operands: '',
  summary: 'print the licence notices of the software and data in the executable',
  options: {},
  examples: [
    { line: 'lurecheck about licenses | less', purpose: 'Read the notices.' },
    { line: 'lurecheck about licenses > NOTICES.txt', purpose: 'Save them.' },
  ],
  async run(_invocation, io) {
    // Only the build knows what it bundles; help of this command works from the sources as well.
    const { LICENCE_DOCUMENTS } = await import('../../licence-documents.ts');
    await io.stdout.write(LICENCE_DOCUMENTS.notices);
    return 0;
  },
};
