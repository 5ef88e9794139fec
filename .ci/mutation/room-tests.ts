import { Glob } from 'bun';

/**
 * Tests of other rooms that hold a room to its word as well; they are asked where its own tests found nothing. Those of the
 * rooms that use it would be too many.
 */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  certificate: ['test/network/probes/certificate.test.ts', 'test/engine/analyzers/certificate.test.ts'],
  registry: [
    'test/network/probes/rdap.test.ts',
    'test/network/probes/whois.test.ts',
    'test/network/probes/registration.test.ts',
    'test/readme.test.ts',
  ],
  lists: ['test/engine/analyzers/lists.test.ts', 'test/assess', 'test/readme.test.ts'],
  record: ['test/analyzers', 'test/checks/store/history.test.ts', 'test/server'],
  check: ['test/server', 'test/program', 'test/readme.test.ts'],
  egress: ['test/probes', 'test/program', 'test/readme.test.ts'],
  probes: ['test/assess', 'test/check', 'test/analyzers', 'test/program', 'test/readme.test.ts'],
};

/** The test files of a source: those that import it themselves, and then its room's others and its neighbours'. */
export async function testsFor(
  path: string,
  root: string,
): Promise<{ own: readonly string[]; others: readonly string[] }> {
  const room = path.split('/')[1] ?? '';
  const files = [`test/${room}`, ...(NEIGHBOURS[room] ?? [])].flatMap((place) =>
    place.endsWith('.test.ts') ? [place] : filesIn(place, root),
  );
  const specifier = `'#${path}'`;
  const own: string[] = [];
  for (const file of files) {
    if (file.startsWith(`test/${room}/`) && (await Bun.file(`${root}/${file}`).text()).includes(specifier))
      own.push(file);
  }
  return { own, others: files.filter((file) => !own.includes(file)) };
}

function filesIn(directory: string, root: string): string[] {
  return [...new Glob('**/*.test.ts').scanSync(`${root}/${directory}`)].map((file) => `${directory}/${file}`);
}
