import { thirdPartyNotices } from '../../../.ci/third-party-notices.ts' with { type: 'macro' };
import type { Command } from '../command.ts';

/** `lurecheck licenses` */
export const licensesCommand: Command<'licenses'> = {
  name: 'licenses',
  operands: '',
  summary: 'prints the notices of the software and data inside the executable',
  options: {},
  async run(_invocation, io) {
    await io.stdout.write(thirdPartyNotices());
    return 0;
  },
};
