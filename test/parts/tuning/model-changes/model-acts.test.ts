import { expect, test } from 'bun:test';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeModelChoice, readModelChoice } from '#src/admin/active/installed-models.ts';
import { perform } from '#src/admin/audit/act.ts';
import fusion from '#src/engine/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/engine/models/lexical.bin' with { type: 'file' };
import { ROLL_BACK_MODEL, USE_MODEL } from '#src/parts/tuning/model-changes/model-acts.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { ownPlace } from '#test/support/own-place.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const BY = { key: 'desk' };

test('a model is selected, recorded with the one before it, and rolled back unless another was selected meanwhile', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const folder = join(directory.path, 'strict');
  mkdirSync(folder);
  cpSync(lexicalPath, join(folder, 'lexical.bin'));
  writeFileSync(join(folder, 'fusion.json'), JSON.stringify({ ...fusion, name: 'strict' }));
  const place = ownPlace(dataDir);
  const strict = await perform(USE_MODEL, place, BY, { model: folder, folder });
  expect([strict, readModelChoice(dataDir)]).toEqual([
    expect.stringMatching(/^strict-/),
    { version: strict, before: [null] },
  ]);
  const raced = {
    ...place,
    async change<T>(_: unknown, work: () => Promise<T>) {
      changeModelChoice(dataDir, () => ({ version: null, before: [strict] }));
      return await work();
    },
  };
  await expect(perform(ROLL_BACK_MODEL, raced, BY, null)).rejects.toMatchObject({ errorCode: 'changed_meanwhile' });
  expect(await perform(ROLL_BACK_MODEL, place, BY, null)).toBe(strict);
  expect(readModelChoice(dataDir)).toEqual({ version: strict, before: [] });
  await expect(perform(ROLL_BACK_MODEL, place, BY, null)).rejects.toMatchObject({ errorCode: 'model_not_found' });
  expect(auditLines(dataDir)).toEqual([
    { action: 'model.use', subject: strict, detail: { before: null } },
    { action: 'model.rollback', subject: 'shipped', detail: {} },
    { action: 'model.rollback.failed', subject: 'shipped', detail: {} },
    { action: 'model.rollback', subject: strict, detail: {} },
  ]);
});
