import { dirname, join } from 'node:path';
import { Glob } from 'bun';

/** Test files of a source, in the order in which they are asked about its mutants. */
export interface RoomTests {
  /** Those of bare `bun test` that import the source themselves, or through helpers of tests alone. */
  readonly own: readonly string[];
  /** The others of its room that load it, nearest first, slow ones last. */
  readonly room: readonly string[];
  /** Those of other rooms that load it through few other sources, nearest first. */
  readonly others: readonly string[];
  /**
   * Those of the system stage that run it against a server of their own: directly, from a folder of the same name such as
   * `postgres`, or nearer than any other test.
   */
  readonly staged: readonly string[];
}

/** Sources between a test of another room and the mutated one. Through more, nearly every test loads nearly every source. */
const NEIGHBOUR_STEPS = 2;
/** Tests of the whole tree, which take a second: they alone hold the table of settings, or the bounds and examples of a schema. */
export const OF_THE_TREE: readonly string[] = [
  ...['test/architecture.test.ts', 'test/readme.test.ts', 'test/service/server/recorded-document.test.ts'],
];
/** Tests that may run the executable, which is not built from the mutant. */
const BY_A_STAGE = /^test\/(?:e2e|system)\//;
/** What those load that do. */
const EXECUTABLE = 'test/support/executable.ts';
/** Servers against which tests of a stage run sources in their own process. */
const SERVERS = ['test/support/postgres.ts', 'test/support/redis-server.ts'];
/** Imports of types alone load nothing. */
const OF_TYPES = /^(?:import|export) type [^'"]* from ['"][^'"]+['"]/gm;
/** A module as a string: of an import, a dynamic one, a thread or a mock. */
const MODULE = /['"]((?:#src|#test|\.{1,2})\/[^'"\n]+\.ts)['"]/g;
/** The module of a thread, below `src`. */
const THREAD = /workerUrl\('([^'\n]+\.ts)'\)/g;

/**
 * Reads which test loads which source from the imports of all files below `src`, `test` and `.ci`. A source that only the
 * executable loads has no tests.
 */
export async function mapTests(root: string): Promise<(source: string) => RoomTests> {
  const importers = await readImporters(root);
  const ofExecutable = stepsTo(EXECUTABLE, importers);
  const ofServers = SERVERS.map((server) => stepsTo(server, importers));
  const runsSources = (test: string) =>
    !BY_A_STAGE.test(test) || (!ofExecutable.has(test) && ofServers.some((steps) => steps.has(test)));
  return (source) => {
    const steps = stepsTo(source, importers);
    const tests = [...steps].filter(([path]) => path.endsWith('.test.ts') && runsSources(path));
    const room = `test/${roomOf(source)}/`;
    const leastOf = (isStaged: boolean) =>
      Math.min(...tests.filter(([path]) => BY_A_STAGE.test(path) === isStaged).map(([, count]) => count));
    const [leastBare, leastStaged] = [leastOf(false), leastOf(true)];
    const isStagedNear = (path: string, count: number) =>
      count === 1 ||
      (count <= Math.max(NEIGHBOUR_STEPS, leastStaged) &&
        (leastStaged < leastBare || source.includes(`/${path.split('/').at(-2)}/`)));
    const kindOf = ([path, count]: readonly [string, number]) => {
      if (BY_A_STAGE.test(path)) return isStagedNear(path, count) ? 'staged' : 'far';
      if (count === 1) return 'own';
      if (path.startsWith(room)) return 'room';
      const isNear = count <= Math.max(NEIGHBOUR_STEPS, leastBare) && !isSlow(path);
      return isNear || OF_THE_TREE.includes(path) ? 'others' : 'far';
    };
    const nearest = tests.toSorted(
      ([a, aSteps], [b, bSteps]) => isSlow(a) - isSlow(b) || aSteps - bSteps || (a < b ? -1 : 1),
    );
    const { own = [], room: ofRoom = [], others = [], staged = [] } = Object.groupBy(nearest, kindOf);
    const pathsOf = (some: typeof tests) => some.map(([path]) => path);
    return { own: pathsOf(own), room: pathsOf(ofRoom), others: pathsOf(others), staged: pathsOf(staged) };
  };
}

/** Whether anybody can notice a mutant of a source. */
export function hasTests(tests: RoomTests): boolean {
  return Object.values(tests).some((files) => files.length > 0);
}

/** 1 for tests of the slow stage, which a room asks last and its neighbours do not. */
const isSlow = (path: string): 0 | 1 => (path.endsWith('.slow.test.ts') ? 1 : 0);

/** `service/server` of `src/service/server/limiter/client.ts`; `app` of a file that lies in no room of its folder. */
function roomOf(source: string): string {
  return source.split('/').slice(1, -1).slice(0, 2).join('/');
}

/** The files that import a file, by its path. */
async function readImporters(root: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const importers = new Map<string, string[]>();
  for await (const path of new Glob('{src,test,.ci}/**/*.ts').scan({ cwd: root, dot: true })) {
    const text = await Bun.file(join(root, path)).text();
    const code = text.replace(OF_TYPES, '');
    const modules = [...code.matchAll(MODULE)].map(([, module = '']) =>
      module.startsWith('#') ? module.slice(1) : join(dirname(path), module),
    );
    const threads = [...code.matchAll(THREAD)].map(([, module = '']) => `src/${module}`);
    for (const imported of [...modules, ...threads]) importers.getOrInsertComputed(imported, () => []).push(path);
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
