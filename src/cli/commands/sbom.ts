import { CARRIED } from '../carried.ts';
import type { Command } from '../command.ts';

/** `lurecheck sbom` */
export const sbomCommand: Command<'sbom'> = {
  name: 'sbom',
  operands: '',
  summary: 'prints the bill of materials of the executable, CycloneDX 1.6 as JSON',
  options: {},
  async run(_invocation, io) {
    await io.stdout.write(CARRIED.sbom);
    return 0;
  },
};
