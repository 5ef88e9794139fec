import { dirname, join } from 'node:path';
import { Glob } from 'bun';

/** Test files of a source, in the order in which they are asked about its mutants. */
export interface RoomTests {
  /** Those that import the source themselves, or through helpers of tests alone. */
  readonly own: readonly string[];
  /** Those of its room that load it, then those of other rooms that load it through few other sources, nearest first. */
  readonly others: readonly string[];
}

/** Sources between a test of another room and the mutated one. Through more, nearly every test loads nearly every source. */
const NEIGHBOUR_STEPS = 2;
/** Tests of the executable, which is not built from the mutant. */
const OF_THE_EXECUTABLE = /^test\/(?:e2e|system)\//;
/** Imports of types alone load nothing. */
const OF_TYPES = /^(?:import|export) type [^'"]* from ['"][^'"]+['"]/gm;
/** A module as a string: of an import, a dynamic one, a thread or a mock. */
const MODULE = /['"]((?:#src|#test|\.{1,2})\/[^'"\n]+\.ts)['"]/g;

/**
 * Reads which test loads which source from the imports of all files below `src` and `test`. A source that only the
 * executable loads has no tests.
 */
export async function mapTests(root: string): Promise<(source: string) => RoomTests> {
  const importers = await readImporters(root);
  return (source) => {
    const steps = stepsTo(source, importers);
    const tests = [...steps].filter(([path]) => path.endsWith('.test.ts') && !OF_THE_EXECUTABLE.test(path));
    const least = Math.min(...tests.map(([, count]) => count));
    const room = `test/${roomOf(source)}/`;
    const near = tests
      .filter(([path, count]) => path.startsWith(room) || count <= Math.max(NEIGHBOUR_STEPS, least))
      .toSorted(([a, aSteps], [b, bSteps]) => rank(a, room) - rank(b, room) || aSteps - bSteps || (a < b ? -1 : 1));
    const isOwn = ([, count]: readonly [string, number]) => count === 1;
    return {
      own: near.filter(isOwn).map(([path]) => path),
      others: near.filter((one) => !isOwn(one)).map(([path]) => path),
    };
  };
}

/** Whether anybody can notice a mutant of a source. */
export function hasTests({ own, others }: RoomTests): boolean {
  return own.length + others.length > 0;
}

const rank = (path: string, room: string): number => (path.startsWith(room) ? 0 : 1);

/** `service/server` of `src/service/server/limiter/client.ts`; `app` of a file that lies in no room of its folder. */
function roomOf(source: string): string {
  return source.split('/').slice(1, -1).slice(0, 2).join('/');
}

/** The files that import a file, by its path. */
async function readImporters(root: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const importers = new Map<string, string[]>();
  for await (const path of new Glob('{src,test}/**/*.ts').scan(root)) {
    const text = await Bun.file(join(root, path)).text();
    for (const [, module = ''] of text.replace(OF_TYPES, '').matchAll(MODULE)) {
      const imported = module.startsWith('#') ? module.slice(1) : join(dirname(path), module);
      importers.getOrInsertComputed(imported, () => []).push(path);
    }
  }
  return importers;
}

/** How many sources lie on the shortest way from each file to a source, itself included; helpers of tests count as none. */
function stepsTo(source: string, importers: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const steps = new Map([[source, 1]]);
  let level = [source];
  for (let count = 1; level.length > 0; count++) {
    const next: string[] = [];
    // The list grows while it is walked: helpers of tests belong to the level of what they import.
    for (const path of level) {
      for (const importer of importers.get(path) ?? []) {
        if (steps.has(importer)) continue;
        const isSource = importer.startsWith('src/');
        steps.set(importer, isSource ? count + 1 : count);
        (isSource ? next : level).push(importer);
      }
    }
    level = next;
  }
  return steps;
}
