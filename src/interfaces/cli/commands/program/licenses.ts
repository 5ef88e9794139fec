import type { Command } from '../../command.ts';

/** `lurecheck licenses` */
export const licensesCommand: Command<'licenses'> = {
  name: 'licenses',
  operands: '',
  summary: 'prints the notices of the software and data inside the executable',
  options: {},
  examples: [
    { line: 'lurecheck licenses | less', purpose: 'Read the notices.' },
    { line: 'lurecheck licenses > NOTICES.txt', purpose: 'Keep them.' },
  ],
  async run(_invocation, io) {
    // Only the build knows what it bundles; help of this command works from the sources as well.
    const { CARRIED } = await import('../../carried.ts');
    await io.stdout.write(CARRIED.notices);
    return 0;
  },
};
