import type { Command } from '../../command.ts';

/** `lurecheck sbom` */
export const sbomCommand: Command<'sbom'> = {
  name: 'sbom',
  operands: '',
  summary: 'print the bill of materials of the executable (CycloneDX 1.6, JSON)',
  options: {},
  examples: [
    { line: 'lurecheck about sbom > lurecheck.cdx.json', purpose: 'Save the list of components.' },
    { line: "lurecheck about sbom | jq -r '.components[].name'", purpose: 'List them.' },
  ],
  async run(_invocation, io) {
    // Only the build knows what it bundles; help of this command works from the sources as well.
    const { LICENCE_DOCUMENTS } = await import('../../licence-documents.ts');
    await io.stdout.write(LICENCE_DOCUMENTS.sbom);
    return 0;
  },
};
