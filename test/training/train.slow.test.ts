import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import { loadFusionModel } from '#src/engine/fusion/model.ts';
import { computeGolden, writeGolden } from '#src/engine/lexical/golden.ts';
import { loadLexicalModel } from '#src/engine/lexical/model.ts';
import { scoreUrl } from '#src/engine/lexical/score.ts';
import fusionJson from '#src/engine/models/fusion.json' with { type: 'json' };
import { DatasetError } from '#src/training/data/dataset.ts';
import { evaluate } from '#src/training/evaluate.ts';
import { train } from '#src/training/train.ts';
import { goldenUrls } from '#test/engine/lexical/golden-urls.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { targetOf } from '#test/support/target.ts';
import { syntheticRows, writeDataFolder } from './synthetic-rows.ts';

const log = () => {};
const names = ['green-bakery-nbg.de', 'village-choir-ulm.org', 'stone-bridge-inn.com'];
const fusion = loadFusionModel(fusionJson, FEATURE_NAMES);

async function withFolder(use: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lurecheck-train-'));
  try {
    await use(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

test('training is reproducible to the byte, and the model separates the classes', async () => {
  await withFolder(async (dir) => {
    await writeDataFolder(dir, syntheticRows(40));
    const cacheDir = join(dir, 'cache');
    await train({ dataDir: dir, outDir: join(dir, 'one'), cacheDir, names, knowledge, log });
    await train({ dataDir: dir, outDir: join(dir, 'two'), names, knowledge, log });
    const one = await Bun.file(join(dir, 'one/lexical.bin')).bytes();
    expect(one.byteLength).toBeGreaterThan(2 ** 20);
    expect(Buffer.compare(one, await Bun.file(join(dir, 'two/lexical.bin')).bytes())).toBe(0);
    const model = loadLexicalModel(one, knowledge);
    expect(await Bun.file(join(dir, 'one/golden.tsv')).text()).toBe(
      writeGolden(computeGolden(model, goldenUrls.map(targetOf))),
    );
    const logOdds = (url: string) => {
      const target = parseTarget(url);
      return isTargetProblem(target)
        ? Number.NaN
        : scoreUrl(model, target).reduce((sum, term) => sum + term.logOdds, 0);
    };
    expect(logOdds('https://secure-wallet88123.top/login/verify.php')).toBeGreaterThan(
      logOdds('https://green-bakery-eab.de/music/garden.html') + 1,
    );
    const { text } = await evaluate({ dataDir: dir, names, model, fusion, cacheDir, outDir: dir, log });
    expect(text).toContain('weights fitted without the fold');
    expect(text).toContain('without certpl');
    expect(await Bun.file(join(dir, 'MODEL_CARD.md')).text()).toContain(text);
  });
});

test('rejects a folder without the data or with other columns', async () => {
  await withFolder(async (dir) => {
    const run = () => train({ dataDir: dir, outDir: dir, names, knowledge, log });
    expect(run()).rejects.toThrow('train.tsv.gz not found');
    await Bun.write(`${dir}/train.tsv.gz`, Bun.gzipSync(new TextEncoder().encode('a\tb\n')));
    expect(run()).rejects.toThrow(DatasetError);
  });
});
