import { join } from 'node:path';
import { defaultAssessSettings } from '#src/admin/active/models.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { openModels } from '#src/app/scoring/classifier.ts';
import type { Io } from '#src/core/base/io.ts';
import { gateThreshold } from '#src/engine/fusion/model.ts';
import { type Command, type Invocation, seedOf, UsageError } from '#src/interfaces/cli/command.ts';
import { honestNamesFor } from '#src/interfaces/cli/honest-names.ts';
import { fileOf, folderOf } from '#src/interfaces/cli/named-paths.ts';

/** `lurecheck evaluate` */
export const evaluateCommand: Command<'evaluate'> = {
  name: 'evaluate',
  operands: '',
  summary: 'evaluate the models on labelled URLs and pages',
  options: {
    data: {
      type: 'string',
      value: 'DIR',
      description: 'Folder with train.tsv.gz, dev.tsv.gz and the other training files.',
    },
    out: {
      type: 'string',
      value: 'DIR',
      description: 'Output folder of MODEL_CARD.md; src/engine/models in a checkout.',
    },
    cache: { type: 'string', value: 'DIR', description: 'Cache folder for slow measurements.' },
    seed: { type: 'string', value: 'N', description: 'Random seed that the model was trained with. Default: 1.' },
    pages: {
      type: 'string',
      value: 'FILE',
      description: 'Labelled pages, pages.jsonl.gz, to classify instead of URLs.',
    },
    'busy-hosts': {
      type: 'string',
      value: 'FILE',
      description: 'Honest busy hosts, one per line, to measure the threshold of the gate.',
    },
  },
  examples: [
    { line: 'lurecheck model evaluate --data DIR', purpose: 'Measure on URLs.' },
    { line: 'lurecheck model evaluate --pages pages.jsonl.gz', purpose: 'Measure on pages.' },
  ],
  named: () => null,
  async run(invocation, io) {
    const dataDir = await folderOf(invocation, 'data');
    const pages = await fileOf(invocation, 'pages');
    const hosts = await fileOf(invocation, 'busy-hosts');
    if ([dataDir, pages, hosts].filter((one) => one !== undefined).length !== 1) {
      throw new UsageError('evaluate needs one of --data DIR for URLs, --pages FILE for pages, --busy-hosts FILE');
    }
    if (hosts !== undefined) await evaluateBusyHosts(hosts, invocation, io);
    if (pages !== undefined) await evaluatePageFile(pages, invocation, io);
    if (dataDir !== undefined) await evaluateUrls(dataDir, invocation, io);
    return 0;
  },
};

async function evaluateUrls(dataDir: string, invocation: Invocation<ConfigFor<'evaluate'>>, io: Io): Promise<void> {
  const outDir = invocation.text('out');
  const cacheDir = invocation.text('cache');
  const seed = seedOf(invocation);
  const { lexical, fusion } = await openModels(invocation.config.data_dir);
  const [{ evaluate }, { readHttpsSites }] = await Promise.all([
    import('#src/training/evaluate.ts'),
    import('#src/training/data/https-sites.ts'),
  ]);
  const { text } = await evaluate({
    dataDir,
    names: honestNamesFor('evaluate', await readHttpsSites()),
    model: lexical,
    fusion,
    seed,
    log: (line) => void io.stderr.write(`${line}\n`),
    ...(outDir === undefined ? {} : { outDir }),
    ...(cacheDir === undefined ? {} : { cacheDir }),
  });
  await io.stdout.write(text);
}

async function evaluatePageFile(file: string, invocation: Invocation<ConfigFor<'evaluate'>>, io: Io): Promise<void> {
  const models = await openModels(invocation.config.data_dir);
  const { createPageScorer, evaluatePages } = await import('#src/training/measure/evaluate-pages.ts');
  const score = createPageScorer(models, defaultAssessSettings(models));
  await evaluatePages({ file, score, log: (line) => void io.stdout.write(`${line}\n`) });
}

async function evaluateBusyHosts(file: string, invocation: Invocation<ConfigFor<'evaluate'>>, io: Io): Promise<void> {
  const models = await openModels(invocation.config.data_dir);
  const outDir = invocation.text('out');
  const { describeBusyHosts, measureBusyHosts, probabilityBySpelling, withBusyHosts } = await import(
    '#src/training/measure/busy-hosts.ts'
  );
  const shipped = gateThreshold(models.fusion);
  const lines = (await Bun.file(file).text()).split('\n');
  const score = probabilityBySpelling(models, defaultAssessSettings(models));
  const text = describeBusyHosts(measureBusyHosts(lines, score, shipped), shipped);
  await io.stdout.write(`${text}\n`);
  if (outDir === undefined) return;
  const card = Bun.file(join(outDir, 'MODEL_CARD.md'));
  await Bun.write(card, withBusyHosts((await card.exists()) ? await card.text() : '', text));
}
