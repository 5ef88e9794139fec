import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Glob } from 'bun';
import { createRandom } from '#test/support/random.ts';
import { isEquivalent, unindented } from './mutation/equivalent.ts';
import { type Mutant, mutantsIn } from './mutation/mutants.ts';
import { openBench } from './mutation/trial.ts';

/**
 * Makes small mutants of a room's sources and asks its tests which of them they notice:
 * `bun .ci/mutate.ts ROOM [--file PATH] [--sample N] [--seed S]`. Lists those that nobody noticed, and fails where they are
 * more than one in ten. Needs Linux, and namespaces.
 */
const { values, positionals } = parseArgs({
  options: {
    file: { type: 'string' },
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
const paths = [...new Glob(values.file ?? `src/${room}/**/*.ts`).scanSync(ROOT)].sort();
if (room === '' || paths.length === 0) throw new Error(`no sources of a room “${room}”`);
const all = await mutantsIn(ROOT, paths);
const picked = sample(
  all.filter((mutant) => !isEquivalent(mutant)),
  Number(values.sample),
  Number(values.seed),
);
const survivors = await tryAll(picked);

for (const { path, line, column, before, after } of survivors) {
  const diff = [...marked('-', before), ...marked('+', after)].join('\n');
  process.stdout.write(`\n${path}:${line}:${column}\n${diff}\n`);
}
const caught = picked.length - survivors.length;
const share = caught / picked.length;
const equivalent = all.filter(isEquivalent).length;
process.stdout.write(
  `\n${picked.length} mutants, ${caught} caught, ${survivors.length} survived (${(100 * share).toFixed(1)} %); ` +
    `of ${all.length} in all, ${equivalent} known to change nothing\n`,
);
process.exitCode = share >= ENOUGH ? 0 : 1;

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

/** Tries as many at a time as there are processors; the survivors in order. */
async function tryAll(mutants: readonly Mutant[]): Promise<Mutant[]> {
  const queue = mutants.entries();
  const survived: { readonly at: number; readonly mutant: Mutant }[] = [];
  let done = 0;
  const work = async () => {
    await using bench = await openBench(ROOT);
    const rehearsal = await bench.rehearse(paths[0] ?? '');
    if (typeof rehearsal === 'string') throw new Error(rehearsal);
    for (const [at, mutant] of queue) {
      const catcher = await bench.try(mutant);
      if (catcher === null) survived.push({ at, mutant });
      done++;
      process.stderr.write(`${done}/${mutants.length} ${mutant.path}:${mutant.line} ${catcher ?? 'SURVIVED'}\n`);
    }
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, work));
  return survived.sort((a, b) => a.at - b.at).map(({ mutant }) => mutant);
}
