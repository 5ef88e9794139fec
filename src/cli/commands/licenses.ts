import { CARRIED } from '../carried.ts';
import type { Command } from '../command.ts';

/** `lurecheck licenses` */
export const licensesCommand: Command<'licenses'> = {
  name: 'licenses',
  operands: '',
  summary: 'prints the notices of the software and data inside the executable',
  options: {},
  async run(_invocation, io) {
    await io.stdout.write(CARRIED.notices);
    return 0;
  },
};
