import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { checkLab, missesOf } from '#test/lab/check-lab.ts';
import { writeConfigFile } from '#test/lab/config-file.ts';
import { labSites } from '#test/lab/sites.ts';
import { startInternet } from '#test/support/internet.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const sites = labSites('example', Date.now());
const opened = new AsyncDisposableStack();
let results: ReadonlyMap<string, CheckResult> = new Map();

beforeAll(async () => {
  const internet = opened.use(await startInternet(sites));
  const directory = opened.use(temporaryDirectory());
  const config = await writeConfigFile(internet, directory.path);
  results = await checkLab(internet, sites, ['--config', config]);
});
afterAll(() => opened.disposeAsync());

test.each(Object.entries(sites).map(([name, site]) => [name, site.about, site] as const))(
  'the executable classifies %s as expected: %s',
  (name, _, site) => {
    expect(missesOf(site, results.get(name))).toEqual([]);
  },
);

const probability = (name: string) => results.get(`${name}.example`)?.malicious_probability ?? Number.NaN;

test('a clone scores higher than its bank, and a link to the clone scores higher than an old site', () => {
  expect(probability('harbourbank')).toBeLessThan(0.01);
  expect(probability('harbourbank-secure')).toBeGreaterThan(0.5);
  expect(probability('maze')).toBeGreaterThan(10 * probability('oldtimes'));
});

test('no DNS record of a refused name is shown', () => {
  const { dns_records } = results.get('inside.example')?.analysis_details ?? {};
  expect(dns_records).toEqual({ status: 'refused_by_policy' });
});

test('the reasons add up to the log-odds of the probability', () => {
  for (const result of results.values()) {
    const { reasons, base_log_odds } = result.analysis_details;
    const sum = reasons.reduce((total, { weight }) => total + weight, base_log_odds);
    const p = result.malicious_probability;
    expect(sum).toBeCloseTo(Math.log(p / (1 - p)), 6);
  }
});
