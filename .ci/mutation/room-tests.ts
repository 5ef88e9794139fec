import { Glob } from 'bun';

/**
 * Tests of other rooms that hold a room to its word as well; they are asked where its own tests found nothing. Those of the
 * rooms that use it would be too many.
 */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  certificate: ['test/probes/certificate.test.ts', 'test/analyzers/certificate.test.ts'],
  registry: [
    'test/probes/rdap.test.ts',
    'test/probes/whois.test.ts',
    'test/probes/registration.test.ts',
    'test/readme.test.ts',
  ],
  lists: ['test/analyzers/lists.test.ts', 'test/assess', 'test/readme.test.ts'],
  record: ['test/analyzers', 'test/store/history.test.ts', 'test/server'],
  check: ['test/server', 'test/program'],
  egress: ['test/probes', 'test/program', 'test/readme.test.ts'],
  probes: ['test/assess', 'test/check', 'test/analyzers'],
};

/** Test files in the order in which they are run: those that import the source themselves, the room's others, its neighbours'. */
export async function testsFor(path: string, root: string): Promise<readonly (readonly string[])[]> {
  const room = path.split('/')[1] ?? '';
  const files = [...new Glob('**/*.test.ts').scanSync(`${root}/test/${room}`)].map((file) => `test/${room}/${file}`);
  const specifier = `'#${path}'`;
  const importing: string[] = [];
  for (const file of files.sort()) {
    if ((await Bun.file(`${root}/${file}`).text()).includes(specifier)) importing.push(file);
  }
  const others = files.filter((file) => !importing.includes(file));
  return [importing, others, NEIGHBOURS[room] ?? []].filter((stage) => stage.length > 0);
}
