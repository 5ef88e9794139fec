import { expect, test } from 'bun:test';
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changePackState, withPublisher } from '#src/admin/active/pack-state.ts';
import { fingerprintOf } from '#src/core/base/public-key.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { member, publisherKey, smallPack } from '#test/support/packs.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openAdministered } from './administered.ts';

const TAG = expect.stringMatching(/^"[\w-]{22}"$/);
const BYTES = { 'content-type': 'application/octet-stream' };
const THRESHOLDS = member('thresholds', 'thresholds.json', '{"warn": 0.000001, "block": 0.999}');

/** A console that trusts a publisher, and that publisher's way of making packs. */
async function openWithPublisher(urls: readonly string[] = []) {
  const service = await openAdministered({ urls });
  const key = publisherKey();
  const publicKey = createPublicKey(key);
  const fingerprint = fingerprintOf(publicKey);
  const bytes = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  changePackState(service.dataDir, (state) =>
    withPublisher(state, { fingerprint, key: bytes, name: 'Acme', since: '2026-01-01T00:00:00.000Z' }),
  );
  const make = async (about: object = {}, signer = key) => {
    await using folder = temporaryDirectory();
    const made = { expires: '2099-01-01T00:00:00.000Z', ...about };
    const path = await smallPack(join(folder.path, 'a.pack'), { key: signer, about: made, members: [THRESHOLDS] });
    return new Blob([readFileSync(path)]);
  };
  const send = async (body: Blob, query = '', headers: Record<string, string> = BYTES) =>
    await service.call('POST', `packs${query}`, { body, headers });
  return { service, fingerprint, make, send };
}

test('a pack is previewed, installed, shown with its publisher, and rolled back', async () => {
  const { service, fingerprint, make, send } = await openWithPublisher(['http://one.example/']);
  await using _ = service;
  const publisher = { name: 'Acme', fingerprint, since: '2026-01-01T00:00:00.000Z', revoked: null, follows: null };
  const { body: before } = await service.call('GET', 'packs');
  expect(before).toEqual({ active: [], available: [], publishers: [publisher], etag: TAG });

  const preview = await send(await make(), '?preview=true');
  expect([preview.status, preview.body.preview.checked, preview.body.preview.changed]).toEqual([200, 1, 1]);
  expect((await service.call('GET', 'packs')).body).toEqual(before);
  const installed = await send(await make(), '', { 'content-type': 'Application/Octet-Stream ; v=1' });
  expect([installed.status, installed.body]).toEqual([201, { name: 'acme-bank', version: 1 }]);
  // What is active already is neither installed nor recorded again.
  expect((await send(await make())).status).toBe(201);
  expect(auditLines(service.dataDir).map(({ action }) => action)).toEqual(['pack.install']);
  const { body: after } = await service.call('GET', 'packs');
  const pack = {
    ...{ name: 'acme-bank', version: 1, publisher: 'Acme', fingerprint, expires: '2099-01-01T00:00:00.000Z' },
    ...{ problem: null, expired: false, revoked: false },
  };
  expect(after.active).toEqual([expect.objectContaining({ ...pack, in_force: true })]);
  expect([after.available, after.etag === before.etag]).toEqual([[], false]);

  const rollBack = async (query = '', headers: Record<string, string> = {}) =>
    await service.call('POST', `packs/rollback${query}`, { headers });
  const previewed = await rollBack('?preview=true');
  expect([previewed.status, previewed.body.preview.checked]).toEqual([200, 1]);
  expect((await rollBack()).code).toBe('428 precondition_required');
  expect((await rollBack('', { 'if-match': before.etag })).code).toBe('412 precondition_failed');
  const rolled = await rollBack('', { 'if-match': after.etag });
  expect([rolled.status, rolled.body.active]).toEqual([200, []]);
});

test('there is nothing to roll back before the first pack', async () => {
  const { service } = await openWithPublisher();
  await using _ = service;
  for (const query of ['', '?preview=true']) {
    const { code, body } = await service.call('POST', `packs/rollback${query}`, { headers: { 'if-match': '*' } });
    expect([query, code, body.detail]).toEqual([query, '409 conflict', 'There is nothing to roll back.']);
  }
});

test('a file that is no sound pack gets 400, one that cannot be used here 409', async () => {
  const { service, make, send } = await openWithPublisher();
  await using _ = service;
  const good = await make();
  const text = Buffer.from(await good.bytes()).toString('latin1');
  const altered = (from: string, to: string) => new Blob([Buffer.from(text.replace(from, to), 'latin1')]);
  const refused = async (body: Blob) => {
    const { code, body: problem } = await send(body);
    expect(problem.detail).toMatch(/^The pack is refused: .+\.$/s);
    return code;
  };
  expect(await refused(new Blob(['no pack']))).toBe('400 invalid_body');
  expect(await refused(good.slice(0, -1))).toBe('400 invalid_body');
  expect(await refused(altered('"block": 0.999', '"block": 0.998'))).toBe('400 invalid_body');
  expect(await refused(altered('"publisher":"Acme"', '"publisher":"Acne"'))).toBe('400 invalid_body');
  expect(await refused(await make({}, publisherKey()))).toBe('409 conflict');
  expect(await refused(await make({ expires: '2026-02-01T00:00:00.000Z' }))).toBe('409 conflict');
  expect(await refused(await make({ created: '2098-01-01T00:00:00.000Z' }))).toBe('409 conflict');
  expect((await send(await make({ version: 2 }))).status).toBe(201);
  expect(await refused(good)).toBe('409 conflict');
});

test('a pack is taken as plain bytes of at most 64 MiB', async () => {
  const { service, make, send } = await openWithPublisher();
  await using _ = service;
  const good = await make();
  for (const headers of [{ 'content-type': 'text/plain' }, { ...BYTES, 'content-encoding': 'gzip' }])
    expect((await send(good, '', headers)).code).toBe('415 unsupported_media_type');
  const large = () => new Blob(Array.from({ length: 65 }, () => new Uint8Array(1024 * 1024))).stream();
  const response = await fetch(`${service.console.server.url}/api/admin/packs`, {
    ...{ method: 'POST', body: large() },
    headers: { authorization: `Bearer ${service.console.secretOf('admin')}`, ...BYTES },
  });
  expect(response.status).toBe(413);
});
