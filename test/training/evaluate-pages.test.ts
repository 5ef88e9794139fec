import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { assess } from '#src/engine/assess/assess.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { readPageRows } from '#src/training/data/page-rows.ts';
import { createPageScorer, evaluatePages, type PageScores } from '#src/training/measure/evaluate-pages.ts';
import { subjectOf } from '#test/engine/analyzers/page/features-of.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';

const LOGIN = '<form action=/in><input type=password name=p></form>';

function row(id: string, label: string, source: string, html: string, more: object = {}): string {
  return JSON.stringify({ id, label, source, url: null, host_hint: null, forms: null, html, ...more });
}

async function withFile<T>(bytes: string | Uint8Array, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  try {
    const path = join(folder, 'pages.jsonl');
    await Bun.write(path, bytes);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a page has its own address, its known host, a noted address, or a neutral one', async () => {
  const lines = [
    row('a', 'benign', 's', '', { url: 'https://own.example/x' }),
    row('b', 'phish', 's', '', { host_hint: 'kit.example' }),
    row('c', 'benign', 's', '<!--\n  https://noted.example/login\n  rank: 7\n-->'),
    row('d', 'phish', 's', '<!-- https://noted.example/ -->'),
    row('e', 'benign', 's', '', { url: 'ftp://x' }),
  ].join('\n');
  const expected = ['https://own.example/x', 'https://kit.example/', 'https://noted.example/login'];
  const neutral = 'https://neutral-host.example/';
  for (const bytes of [lines, gzipSync(lines)]) {
    const rows = await withFile(bytes, readPageRows);
    expect(rows.map((page) => page.url)).toEqual([...expected, neutral, neutral]);
  }
});

test.each(['{', '[]', '{"id":1}'])('rejects %s, and names its line', async (line) => {
  await expect(withFile(`${row('a', 'benign', 's', '')}\n${line}`, readPageRows)).rejects.toThrow(/line 2/);
});

test('reports detection as the mean over collections, at a bounded share of false alarms', async () => {
  const lines = [
    ...Array.from({ length: 200 }, (_, i) => row(`b${i}`, 'benign', 'web', `<p>${i}</p>${i < 100 ? LOGIN : ''}`)),
    ...Array.from({ length: 4 }, (_, i) => row(`p${i}`, 'phish', 'kits', `<b>${i}</b>${LOGIN}`)),
    ...Array.from({ length: 2 }, (_, i) => row(`q${i}`, 'phish', 'tools', `<i>${i}</i>${LOGIN}`)),
    row('none', 'phish', 'tools', '<p>asks for nothing'),
  ];
  const said: string[] = [];
  // Of the benign pages, the ten with the highest number are the most suspicious; of the kits, half are more so.
  const scoreOf = (text: string): PageScores => {
    const number = Number(/\d+/.exec(text)?.[0] ?? 0);
    return { logOdds: { page: number, url: -1000 }, features: number > 2 ? ['page.many'] : [], coverage: 'full' };
  };
  const result = await withFile(lines.join('\n'), (file) =>
    evaluatePages({
      file,
      log: (line) => said.push(line),
      score: (_, { page }) => {
        if (page.state !== 'observed' || page.value.document === null) throw new Error('not read');
        return scoreOf(page.value.document.visibleText);
      },
    }),
  );
  expect(result.counts).toEqual({ phishing: 6, benign: 200, benignLogin: 100 });
  const [alone, noUrl, all] = result.detection;
  expect(alone).toMatchObject({ threshold: 197, mean: 0, bySource: { kits: 0, tools: 0 } });
  expect(noUrl?.threshold).toBe(197);
  expect(all?.threshold).toBe(197 - 1000);
  expect(result.rates['page.many']).toEqual({ phishing: 1 / 6, benignLogin: 0.97, benign: 0.985 });
  expect(said.length).toBeGreaterThan(4);
});

test('counts forms of campaigns, and those shared by several sites', async () => {
  const page = (title: string) => `<title>${title}</title>${LOGIN}`;
  const lines = [
    row('a', 'phish', 'kits', page('Netflix Konto')),
    row('b', 'phish', 'kits', page('netflix konto')),
    row('c', 'phish', 'kits', page('Login')),
    row('d', 'benign', 'web', page('Gartenfreunde'), { url: 'https://one.example/login' }),
    row('e', 'benign', 'web', page('Gartenfreunde'), { url: 'https://one.example/again' }),
    row('f', 'benign', 'web', page('Schrebergarten'), { url: 'https://two.example/' }),
  ];
  const score = (): PageScores => ({ logOdds: {}, features: [], coverage: 'partial' });
  const said: string[] = [];
  const { forms } = await withFile(lines.join('\n'), (file) =>
    evaluatePages({ file, score, log: (line) => void said.push(line) }),
  );
  expect(said).toContain('coverage other than full: 100.0 % of benign');
  expect(forms).toEqual({ phishing: { recognizable: 2, shared: 2 }, benignLogin: { recognizable: 3, shared: 0 } });
});

test('scores the components like a check', () => {
  const { target, observations } = subjectOf('<title>PayPal</title><form action=next.php><input type=password></form>');
  const seen = {
    ...skippedObservations('not_applicable', { state: 'skipped', reason: 'disabled' }),
    page: observations.page,
  };
  const { verdict } = assess(target, seen, MODELS, SETTINGS);
  const scores = createPageScorer(MODELS, SETTINGS)(target, seen);
  const sum = Object.values(scores.logOdds).reduce((total, value) => total + value, 0);
  expect(verdict.baseLogOdds + sum).toBeCloseTo(verdict.logOdds, 9);
  expect(scores.logOdds.page).toBeGreaterThan(2);
  expect(scores.features).toContain('page.asks_as_foreign_brand');
});
