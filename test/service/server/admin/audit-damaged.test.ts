import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { appendAudit, auditFileIn } from '#src/admin/audit/audit-log.ts';
import { changeKeyFile } from '#src/admin/keys/api-key.ts';
import { createKeyManager } from '#src/admin/keys/manage-keys.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { run } from '#src/interfaces/cli/index.ts';
import { silentIo } from '#test/support/silent-io.ts';
import { openAdministered } from './administered.ts';

/** Replaces the last line of the audit log by another text. */
function damage(dataDir: string): void {
  appendAudit(dataDir, { service: 'test' }, { action: 'test', subject: null });
  writeFileSync(auditFileIn(dataDir), 'no line\n');
}

const LIST = { name: 'feed', content: 'evil.example\n' };

/** An address, a body, and the state of the object for which any will do. */
type Change = readonly [method: string, address: string, body?: object];

const CHANGES: readonly Change[] = [
  ['POST', 'lists', { ...LIST, name: 'other' }],
  ['PUT', 'lists/feed', { content: 'worse.example\n' }],
  ['DELETE', 'lists/feed'],
  ['POST', 'lists/feed/rollback'],
  ['POST', 'lists/feed/entries', { entry: 'other.example' }],
  ['DELETE', 'lists/feed/entries?entry=evil.example'],
  ['POST', 'lists/feed/removals', { entries: ['evil.example'] }],
  ['POST', 'brands', { name: 'Nordwerk', domains: ['nordwerk.example'] }],
  ['PUT', 'models/active', { model: 'shipped' }],
];

test('a damaged audit log is one problem on every route that changes something', async () => {
  await using service = await openAdministered();
  await service.call('POST', 'lists', { body: LIST });
  damage(service.dataDir);
  for (const [method, address, body] of CHANGES) {
    const headers = { 'if-match': '*' };
    const refused = await service.call(method, address, { headers, ...(body && { body }) });
    expect([method, address, refused.code, refused.body.errors]).toEqual([
      ...[method, address],
      ...['503 audit_unavailable', undefined],
    ]);
    expect(refused.body.detail).not.toContain(service.dataDir);
    expect(refused.headers.get('retry-after')).toBe('60');
  }
  expect((await service.call('GET', 'lists')).body.items).toMatchObject([{ name: 'feed', entries: 1 }]);
});

test('a damaged audit log has one exit code in every command that changes something', async () => {
  await using service = await openAdministered();
  const { dataDir } = service;
  const keys = createKeyManager({ dataDir, change: (change) => changeKeyFile(dataDir, change), clock: systemClock });
  await keys.create({ service: 'test' }, { name: 'soc', scopes: ['check'], limit: null, expires_at: null });
  await service.call('POST', 'lists', { body: LIST });
  damage(dataDir);
  for (const command of [
    ['key', 'create', 'other'],
    ['key', 'revoke', 'soc'],
    ['lists', 'add', 'feed', 'other.example'],
    ['lists', 'remove', 'feed'],
    ['lists', 'rollback', 'feed'],
    ['brand', 'add', 'Nordwerk', '--domain', 'nordwerk.example'],
    ['model', 'use', 'shipped'],
  ]) {
    const io = silentIo();
    const code = await run([...command, '--data-dir', dataDir], io);
    expect([command, code, io.errors()]).toEqual([command, 1, expect.stringContaining('audit.log is damaged')]);
  }
});
