import { expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { openPictureFile } from '#src/checks/store/pictures/picture-file.ts';
import { pictureFileIn } from '#src/checks/store/pictures/picture-path.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { exportPictures } from '#src/parts/export/command/export-log.ts';
import { fileSink } from '#src/parts/export/command/export-sink.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { entryOf, reading } from './entries.ts';

const ID = '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b';

test('an export has the pictures of its checks as an archive of tar, those of private ones for their owner alone', async () => {
  await using directory = temporaryDirectory();
  const pictures = openPictureFile(pictureFileIn(directory.path, 'private'), Date.now());
  const webp = Buffer.from('RIFF'.repeat(300));
  const full = Buffer.alloc(512, 'a');
  const other = ID.replace('4c6b', '4c6c');
  for (const [id, bytes] of [
    [ID, webp],
    [other, full],
    ['not-exported', webp],
  ] as const)
    pictures.insert(id, bytes, Date.now());
  pictures[Symbol.dispose]();
  const path = `${directory.path}/pictures.tar`;
  await using sink = await fileSink(path, true);
  using exported = exportPictures(directory.path, 'private', sink);
  const withId = (id: string) => {
    const entry = entryOf();
    return { ...entry, result: { ...entry.result, request_id: id } };
  };
  const entries = [withId(ID), entryOf(), withId(other)];
  expect(await Array.fromAsync(exported.of(reading(entries)))).toEqual(entries);
  await exported.finish();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(Bun.spawnSync(['tar', '-xf', path, '-C', directory.path]).stderr.toString()).toBe('');
  expect(readFileSync(`${directory.path}/${ID}.webp`)).toEqual(webp);
  expect(readFileSync(`${directory.path}/${other}.webp`)).toEqual(full);
  const listed = Bun.spawnSync(['tar', '-tf', path]).stdout.toString().trim().split('\n');
  expect(listed).toEqual([`${ID}.webp`, `${other}.webp`]);
  expect(statSync(`${directory.path}/${ID}.webp`).mtimeMs).toBe(Math.floor(requestIdMs(ID) / 1000) * 1000);
});

test('an export without pictures is an empty archive', async () => {
  await using directory = temporaryDirectory();
  const path = `${directory.path}/pictures.tar`;
  await using sink = await fileSink(path, false);
  using exported = exportPictures(directory.path, 'public', sink);
  expect((await Array.fromAsync(exported.of(reading([entryOf()])))).length).toBe(1);
  await exported.finish();
  expect(Bun.spawnSync(['tar', '-tf', path]).stdout.toString()).toBe('');
});
