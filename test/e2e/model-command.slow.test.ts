import { expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fusion from '#src/engine/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/engine/models/lexical.bin' with { type: 'file' };
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const URL = 'https://www.example.org/';
const CHECK = ['check', URL, '--network', 'none', '--format', 'json'];

/** A model in a folder that warns of nearly everything; its weights have a name of their own. */
function writeStrictModel(folder: string, name = 'strict'): string {
  mkdirSync(folder);
  cpSync(lexicalPath, join(folder, 'lexical.bin'));
  const strict = { ...fusion, name, thresholds: { warn: 0.000001, block: 0.999999 } };
  writeFileSync(join(folder, 'fusion.json'), JSON.stringify(strict));
  return folder;
}

/** What runs in a data directory. */
function box(dataDir: string) {
  const model = (...args: string[]) => lurecheck(['model', ...args, '--data-dir', dataDir]);
  const check = async () => {
    const { exitCode, stdout, stderr } = await lurecheck([...CHECK, '--data-dir', dataDir]);
    if (stdout === '') throw new Error(`${exitCode} ${stderr}`);
    const { decision, analysis_details: details } = JSON.parse(stdout);
    return { decision, version: details.model_version as string };
  };
  const inForce = async () => {
    const { stdout } = await model('list', '--format', 'json');
    return JSON.parse(stdout).flatMap((one: { version: string; in_force: boolean; shipped: boolean }) =>
      one.in_force ? [[one.version, one.shipped]] : [],
    );
  };
  return { model, check, inForce };
}

test('a selected model classifies until it is rolled back', async () => {
  await using directory = temporaryDirectory();
  const { model, check, inForce } = box(join(directory.path, 'data'));
  const shipped = await check();
  expect(shipped.decision).toBe('allow');
  expect(await inForce()).toEqual([[shipped.version, true]]);
  const used = await model('use', writeStrictModel(join(directory.path, 'strict')));
  expect([used.exitCode, used.stdout]).toEqual([0, '']);
  const strict = shipped.version.replace(/^[^-]+/, 'strict');
  expect(used.stderr).toContain(`${strict} is selected: no service is running on `);
  expect(await check()).toEqual({ decision: 'warn', version: strict });
  expect(await inForce()).toEqual([[strict, false]]);
  expect((await model('rollback')).exitCode).toBe(0);
  expect(await check()).toEqual(shipped);
  expect((await model('use', strict)).exitCode).toBe(0);
  expect((await model('use', 'shipped')).exitCode).toBe(0);
  expect((await model('rollback')).exitCode).toBe(0);
  expect((await check()).version).toBe(strict);
});

test('the built-in model is stored if it is selected by its version', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const { model, check, inForce } = box(dataDir);
  const { version } = await check();
  expect((await model('use', version)).exitCode).toBe(0);
  expect(readdirSync(join(dataDir, 'models', version)).toSorted()).toEqual(['fusion.json', 'lexical.bin']);
  expect(await inForce()).toEqual([[version, false]]);
  expect(await check()).toEqual({ decision: 'allow', version });
});

test('a stored model without weights for new features still classifies, but cannot be installed again', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const { model, check } = box(dataDir);
  const folder = writeStrictModel(join(directory.path, 'strict'));
  const { 'lists.trusted': _, ...weights } = fusion.weights;
  const older = JSON.stringify({ ...fusion, name: 'strict', thresholds: { warn: 0.000001, block: 0.999999 }, weights });
  expect((await model('use', folder)).exitCode).toBe(0);
  const { version } = await check();
  writeFileSync(join(dataDir, 'models', version, 'fusion.json'), older);
  expect(await check()).toEqual({ decision: 'warn', version });
  writeFileSync(join(folder, 'fusion.json'), older);
  expect((await model('compare', folder)).stderr).toContain('add a weight with its source');
});

test('a damaged model is not used, and the error names a way to recover', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const { model, check, inForce } = box(dataDir);
  const { version } = await check();
  await model('use', writeStrictModel(join(directory.path, 'strict')));
  const [kept = ''] = readdirSync(join(dataDir, 'models')).filter((name) => name.startsWith('strict'));
  truncateSync(join(dataDir, 'models', kept, 'lexical.bin'), 100_000);
  const refused = await lurecheck(['check', URL, '--data-dir', dataDir]);
  expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('cannot be used: the model file is damaged');
  expect(refused.stderr).toContain('lurecheck model use shipped');
  expect((await model('list')).stdout).toContain(`${kept}\tstored, active, the model in `);
  expect((await model('use', kept)).exitCode).toBe(2);
  expect((await model('use', 'shipped')).exitCode).toBe(0);
  expect(await inForce()).toEqual([[version, true]]);
});

test.each([
  ['of weights for other signs', { ...fusion, weights: {} }, 'fusion.json does not fit the analyzers'],
  ['that is no JSON', '{', 'fusion.json is not a model'],
  ['with a name that leads elsewhere', { ...fusion, name: '../../up' }, 'its name "../../up" cannot be a folder name'],
])('a model %s is refused, and nothing of it is stored', async (_, weights, sentence) => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const { model, inForce } = box(dataDir);
  const folder = writeStrictModel(join(directory.path, 'strict'));
  writeFileSync(join(folder, 'fusion.json'), typeof weights === 'string' ? weights : JSON.stringify(weights));
  const { exitCode, stderr } = await model('use', folder);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(sentence);
  expect(await inForce()).toMatchObject([[expect.any(String), true]]);
  expect(readdirSync(directory.path)).toEqual(['strict']);
});

test('a different model with an existing version is refused', async () => {
  await using directory = temporaryDirectory();
  const { model } = box(join(directory.path, 'data'));
  await model('use', writeStrictModel(join(directory.path, 'one')));
  const two = writeStrictModel(join(directory.path, 'two'));
  writeFileSync(join(two, 'fusion.json'), JSON.stringify({ ...fusion, name: 'strict' }));
  const { exitCode, stderr } = await model('use', two);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('is installed: give the weights another name');
});

test('a model with other thresholds is refused under the name of the built-in model', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const { model } = box(dataDir);
  const folder = writeStrictModel(join(directory.path, 'changed'));
  const write = (changed: object) =>
    writeFileSync(join(folder, 'fusion.json'), JSON.stringify({ ...fusion, ...changed }));
  write({ thresholds: { warn: 0.1, block: 0.2 } });
  const { exitCode, stderr } = await model('use', folder);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('is built in: give the weights another name');
  write({ thresholds: { warn: 0.1, block: 0.2 }, name: 'mine' });
  expect((await model('use', folder)).exitCode).toBe(0);
  write({});
  expect((await model('use', folder)).exitCode).toBe(0);
});

test('model compare reports which stored checks another model would change', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const { model } = box(dataDir);
  const phishing = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';
  {
    await using service = await startService(dataDir);
    for (const url of [URL, 'https://www.debian.org/', phishing]) await service.check(url);
  }
  const folder = writeStrictModel(join(directory.path, 'strict'));
  const same = JSON.parse((await model('compare', 'shipped', '--format', 'json')).stdout);
  expect(same).toMatchObject({ compared: 3, unread: 0, changes: {}, changed: [] });
  const { stdout } = await model('compare', folder, '--format', 'json');
  const said = JSON.parse(stdout);
  expect(said).toMatchObject({ compared: 3, unread: 0 });
  const urls = said.changed.map(({ url }: { url: string }) => url);
  expect(urls).toContain(URL);
  expect(said.changed.every(({ other }: { other: { decision: string } }) => other.decision === 'warn')).toBe(true);
  const text = (await model('compare', folder, '--limit', '1', '--decision', 'allow')).stdout;
  expect(text).toMatch(/^allow → warn .* https:\/\/www\.debian\.org\/\nallow → warn: 1\n1 check compared, /);
  expect((await model('compare', folder, '--private')).stdout).toContain('0 checks compared');
});
