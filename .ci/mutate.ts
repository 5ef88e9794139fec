import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Glob } from 'bun';
import { createRandom } from '#test/support/random.ts';
import { isEquivalent, unindented } from './mutation/equivalent.ts';
import { type Mutant, mutantsIn } from './mutation/mutants.ts';
import { hasTests, mapTests } from './mutation/room-tests.ts';
import { openBench } from './mutation/trial.ts';

/**
 * Makes small mutants of a room's sources, and asks the tests that load them which mutants they notice:
 * `bun .ci/mutate.ts ROOM [--file PATH] [--sample N] [--seed S] [--jobs J]`. A room is `server` or `service/server`. Lists
 * the mutants that nobody noticed, and fails where they are more than one in ten. Needs Linux, and namespaces.
 */
const { values, positionals } = parseArgs({
  options: {
    file: { type: 'string' },
    // Tests that wait for time-outs leave room for more than one a processor.
    jobs: { type: 'string', default: String(navigator.hardwareConcurrency) },
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
  allowPositionals: true,
  strict: true,
});

/** The share of a room's mutants that must be caught. */
const ENOUGH = 0.9;
const ROOT = join(import.meta.dir, '..');

const [room = ''] = positionals;
const isOfRoom = (path: string) => path.startsWith(`src/${room}/`) || path.split('/')[2] === room;
const sources = new Glob(values.file ?? 'src/**/*.ts').scanSync(ROOT);
const paths = [...sources].filter((path) => !path.endsWith('.d.ts') && isOfRoom(path)).sort();
if (room === '' || paths.length === 0) throw new Error(`no sources of a room “${room}”`);
const testsFor = await mapTests(ROOT);
if (!paths.some((path) => hasTests(testsFor(path)))) throw new Error(`no test loads a source of “${room}”`);
const all = await mutantsIn(ROOT, paths);
const picked = sample(
  all.filter((mutant) => !isEquivalent(mutant)),
  Number(values.sample),
  Number(values.seed),
);
const survived = await tryAll(picked);

const caught = picked.length - survived;
const share = caught / picked.length;
const equivalent = all.filter(isEquivalent).length;
process.stdout.write(
  `${picked.length} mutants, ${caught} caught, ${survived} survived (${(100 * share).toFixed(1)} %); ` +
    `of ${all.length} in all, ${equivalent} known to change nothing\n`,
);
process.exitCode = share >= ENOUGH ? 0 : 1;

function shown({ path, line, column, before, after }: Mutant): string {
  return [`${path}:${line}:${column}`, ...marked('-', before), ...marked('+', after)].join('\n');
}

function marked(mark: string, lines: string): string[] {
  return unindented(lines)
    .split('\n')
    .map((line) => `${mark} ${line}`);
}

function sample(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  const random = createRandom(seed);
  const left = [...mutants];
  const drawn: Mutant[] = [];
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(random.below(left.length), 1));
  return drawn.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.column - b.column);
}

/** Tries several at a time, shows those that survive, and counts them. */
async function tryAll(mutants: readonly Mutant[]): Promise<number> {
  const queue = mutants.values();
  let done = 0;
  let survivors = 0;
  const work = async () => {
    await using bench = await openBench(ROOT, testsFor);
    for (const mutant of queue) {
      const catcher = await bench.try(mutant);
      process.stderr.write(`${++done}/${mutants.length} ${mutant.path}:${mutant.line} ${catcher ?? 'nobody'}\n`);
      if (catcher !== null) continue;
      survivors++;
      process.stdout.write(`${shown(mutant)}\n\n`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return survivors;
}
