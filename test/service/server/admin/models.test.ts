import { expect, test } from 'bun:test';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { perform } from '#src/admin/audit/act.ts';
import fusion from '#src/engine/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/engine/models/lexical.bin' with { type: 'file' };
import { USE_MODEL } from '#src/parts/tuning/model-changes/model-acts.ts';
import { ownPlace } from '#test/support/own-place.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openAdministered } from './administered.ts';

const TAG = expect.stringMatching(/^"[\w-]{22}"$/);

/** A console with an installed model that warns of everything, beside the selected one of the program. */
async function openWithModel(urls: readonly string[]) {
  const service = await openAdministered({ urls });
  await using folder = temporaryDirectory();
  const strict = join(folder.path, 'strict');
  mkdirSync(strict);
  cpSync(lexicalPath, join(strict, 'lexical.bin'));
  const weights = { ...fusion, name: 'strict', thresholds: { warn: 0.000001, block: 0.999999 } };
  writeFileSync(join(strict, 'fusion.json'), JSON.stringify(weights));
  const by = { service: 'test' };
  const version = await perform(USE_MODEL, ownPlace(service.dataDir), by, { model: strict, folder: strict });
  await perform(USE_MODEL, ownPlace(service.dataDir), by, { model: 'shipped', folder: null });
  return { service, strict: version ?? '' };
}

test('models are listed, selected as they were read, and rolled back', async () => {
  const { service, strict } = await openWithModel([]);
  await using _ = service;
  const { body: before } = await service.call('GET', 'models');
  const shipped = before.items[0].version;
  expect(before).toEqual({
    items: [
      { version: shipped, shipped: true, in_force: true, problem: null },
      { version: strict, shipped: false, in_force: false, problem: null },
    ],
    etag: TAG,
  });
  const use = async (model: string, headers: Record<string, string> = {}) =>
    await service.call('PUT', 'models/active', { body: { model }, headers });
  expect((await use(strict)).code).toBe('428 precondition_required');
  expect((await use(strict, { 'if-match': '"stale"' })).code).toBe('412 precondition_failed');
  const missing = await use('none-1', { 'if-match': '*' });
  expect([missing.code, missing.body.detail]).toEqual([
    '404 not_found',
    expect.stringMatching(/^Model or folder not found: "none-1".*\.$/),
  ]);
  const used = await use(strict, { 'if-match': before.etag });
  expect([used.status, used.body.items.map(({ in_force }: { in_force: boolean }) => in_force)]).toEqual([
    200,
    [false, true],
  ]);
  expect(used.body.etag).not.toBe(before.etag);
  const rollBack = async (headers: Record<string, string> = {}) =>
    await service.call('POST', 'models/rollback', { headers });
  expect((await rollBack()).code).toBe('428 precondition_required');
  expect((await rollBack({ 'if-match': before.etag })).code).toBe('412 precondition_failed');
  const rolled = await rollBack({ 'if-match': used.body.etag });
  expect([rolled.status, rolled.body.items]).toEqual([200, before.items]);
  for (const model of ['', 'x'.repeat(201), 5])
    expect((await service.call('PUT', 'models/active', { body: { model } })).code).toBe('400 invalid_body');
});

test('a model is compared with the active one on logged checks, as many as are asked for', async () => {
  const { service, strict } = await openWithModel(['http://one.example/', 'http://two.example/']);
  await using _ = service;
  const compare = async (body: object) => await service.call('POST', 'models/compare', { body });
  const all = await compare({ model: strict });
  expect([all.status, all.body]).toEqual([
    200,
    {
      ...{ now: expect.any(String), other: strict, compared: 2, unread: 0, changes: { 'allow → warn': 2 } },
      changed: [expect.objectContaining({ url: expect.any(String) }), expect.anything()],
    },
  ]);
  const [{ now, other, request_id: id }] = all.body.changed;
  expect([now.decision, other.decision, id]).toEqual(['allow', 'warn', expect.stringMatching(/^[\da-f-]{36}$/)]);
  expect((await compare({ model: strict, limit: 1 })).body.compared).toBe(1);
  for (const limit of [0, 100_001, 1.5])
    expect([limit, (await compare({ model: strict, limit })).code]).toEqual([limit, '400 invalid_body']);
  expect((await compare({ model: 'shipped', limit: 100_000 })).body).toMatchObject({ compared: 2, changes: {} });
  expect((await compare({ model: 'none' })).code).toBe('404 not_found');

  const { body: before } = await service.call('GET', 'models');
  const preview = await service.call('PUT', 'models/active?preview=true', { body: { model: strict } });
  expect([preview.status, preview.body]).toEqual([
    200,
    {
      preview: {
        ...{ checked: 2, changed: 2, newly_blocked: 0, newly_allowed: 0, popular_hits: 0, entries: 0 },
        examples: [expect.objectContaining({ before: 'allow', after: 'warn' }), expect.anything()],
        invalid_lines: [],
      },
    },
  ]);
  const back = await service.call('POST', 'models/rollback?preview=true');
  expect([back.status, back.body.preview.changed]).toEqual([200, 2]);
  expect((await service.call('GET', 'models')).body).toEqual(before);
});

test('there is no earlier model to roll back to on a new installation', async () => {
  await using service = await openAdministered();
  const preview = await service.call('POST', 'models/rollback?preview=true');
  expect([preview.code, preview.body.detail]).toEqual(['404 not_found', 'There is no selection to roll back.']);
  expect((await service.call('POST', 'models/rollback', { headers: { 'if-match': '*' } })).code).toBe('404 not_found');
});
