import { openKnowledge } from '#src/admin/active/models.ts';
import { type Command, seedOf, UsageError } from '#src/interfaces/cli/command.ts';
import { honestNamesFor } from '#src/interfaces/cli/honest-names.ts';
import { folderOf } from '#src/interfaces/cli/named-paths.ts';

/** `lurecheck train` */
export const trainCommand: Command<'train'> = {
  name: 'train',
  operands: '',
  summary: 'fit the models to labelled URLs',
  options: {
    data: { type: 'string', value: 'DIR', description: 'Folder with train.tsv.gz and the other training files.' },
    out: { type: 'string', value: 'DIR', description: 'Output folder of the models; src/engine/models in a checkout.' },
    cache: { type: 'string', value: 'DIR', description: 'Cache folder for the scores that evaluate needs, too.' },
    facts: { type: 'string', value: 'DIR', description: 'Output folder of the tables of facts.' },
    seed: { type: 'string', value: 'N', description: 'Random seed. Default: 1.' },
  },
  examples: [
    { line: 'lurecheck model train --data DIR --out src/engine/models', purpose: 'Fit the models.' },
    { line: 'lurecheck model train --data DIR --facts src/core/knowledge', purpose: 'Derive the tables of facts.' },
  ],
  async run(invocation, io) {
    const dataDir = await folderOf(invocation, 'data');
    const outDir = invocation.text('out');
    const cacheDir = invocation.text('cache');
    const seed = seedOf(invocation);
    const factsDir = invocation.text('facts');
    if (dataDir === undefined || (outDir ?? factsDir) === undefined) {
      throw new UsageError('train needs --data DIR, and --out DIR for the models or --facts DIR for the tables');
    }
    const { readHttpsSites } = await import('#src/training/data/https-sites.ts');
    const names = honestNamesFor('train', await readHttpsSites());
    const log = (line: string) => void io.stderr.write(`${line}\n`);
    if (factsDir !== undefined) {
      const { deriveKnowledge } = await import('#src/training/facts/knowledge.ts');
      for (const name of await deriveKnowledge({ dataDir, outDir: factsDir, names })) log(`wrote ${name}`);
    }
    if (outDir !== undefined) {
      const { train } = await import('#src/training/train.ts');
      await train({
        dataDir,
        outDir,
        names,
        knowledge: await openKnowledge(),
        seed,
        log,
        ...(cacheDir === undefined ? {} : { cacheDir }),
      });
    }
    return 0;
  },
};
