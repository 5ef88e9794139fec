import { type Command, UsageError } from './command.ts';
import { openLexicalModel } from './open-lexical.ts';

/** `lurecheck evaluate` */
export const evaluateCommand: Command = {
  name: 'evaluate',
  operands: '',
  summary: 'measures the models on labelled URLs that they have not seen',
  options: {
    data: { type: 'string', value: 'DIR', description: 'Folder with train.tsv.gz, dev.tsv.gz and their companions.' },
    out: { type: 'string', value: 'DIR', description: 'Folder to write MODEL_CARD.md to; src/models in a checkout.' },
    cache: { type: 'string', value: 'DIR', description: 'Folder that keeps what takes long to measure.' },
    seed: { type: 'string', value: 'N', description: 'The seed that the model was trained with; 1 by default.' },
  },
  settings: [],
  async run(invocation, io) {
    const dataDir = invocation.text('data');
    const outDir = invocation.text('out');
    const cacheDir = invocation.text('cache');
    const seed = invocation.text('seed') ?? '1';
    if (dataDir === undefined) throw new UsageError('evaluate needs --data DIR');
    if (!/^\d{1,9}$/.test(seed)) throw new UsageError('--seed takes a whole number');
    const model = await openLexicalModel();
    const { evaluate } = await import('#src/train/evaluate.ts');
    const { text } = await evaluate({
      dataDir,
      model,
      seed: Number(seed),
      log: (line) => void io.stderr.write(`${line}\n`),
      ...(outDir === undefined ? {} : { outDir }),
      ...(cacheDir === undefined ? {} : { cacheDir }),
    });
    await io.stdout.write(text);
    return 0;
  },
};
