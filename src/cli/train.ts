import { openKnowledge } from '#src/open-models.ts';
import { type Command, UsageError } from './command.ts';

/** `lurecheck train` */
export const trainCommand: Command = {
  name: 'train',
  operands: '',
  summary: 'fits the models to a folder of labelled URLs',
  options: {
    data: { type: 'string', value: 'DIR', description: 'Folder with train.tsv.gz and its companions.' },
    out: { type: 'string', value: 'DIR', description: 'Folder for the models; src/models in a checkout.' },
    cache: { type: 'string', value: 'DIR', description: 'Folder to keep the scores in that evaluate needs too.' },
    seed: { type: 'string', value: 'N', description: 'Seed of everything random; 1 by default.' },
  },
  settings: [],
  async run(invocation, io) {
    const dataDir = invocation.text('data');
    const outDir = invocation.text('out');
    const cacheDir = invocation.text('cache');
    const seed = invocation.text('seed') ?? '1';
    if (dataDir === undefined || outDir === undefined) throw new UsageError('train needs --data DIR and --out DIR');
    if (!/^\d{1,9}$/.test(seed)) throw new UsageError('--seed takes a whole number');
    const { train } = await import('#src/train/train.ts');
    await train({
      dataDir,
      outDir,
      knowledge: await openKnowledge(),
      seed: Number(seed),
      log: (line) => void io.stderr.write(`${line}\n`),
      ...(cacheDir === undefined ? {} : { cacheDir }),
    });
    return 0;
  },
};
