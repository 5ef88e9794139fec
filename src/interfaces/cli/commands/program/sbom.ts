import type { Command } from '../../command.ts';

/** `lurecheck sbom` */
export const sbomCommand: Command<'sbom'> = {
  name: 'sbom',
  operands: '',
  summary: 'prints the bill of materials of the executable, CycloneDX 1.6 as JSON',
  options: {},
  examples: [
    { line: 'lurecheck sbom > lurecheck.cdx.json', purpose: 'Keep the list of parts.' },
    { line: "lurecheck sbom | jq -r '.components[].name'", purpose: 'Name them.' },
  ],
  async run(_invocation, io) {
    // Only the build knows what it bundles; help of this command works from the sources as well.
    const { CARRIED } = await import('../../carried.ts');
    await io.stdout.write(CARRIED.sbom);
    return 0;
  },
};
