import { expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type ConfigFor, readConfig } from '#src/app/config.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { forPageAt, lookAtPicture, visitOwnPage } from '#src/parts/tuning/look/read-own-pages.ts';
import { serveSavedPage } from '#src/parts/tuning/look/serve-saved-page.ts';
import { targetOf } from '#test/support/target.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const LOGIN = '<title>Nordwerk</title><form action=/in method=post><input name=u><input type=password name=p></form>';

const configIn = (dataDir: string): ConfigFor<'check'> =>
  readConfig({ flags: { 'data-dir': [dataDir] }, environment: {}, file: null }).values;

/** A picture of a page, as BMP. */
const pictureOf = (width: number, height: number) => {
  const bitmap = new Uint8Array(54 + width * height * 3).fill(200, 54);
  const view = new DataView(bitmap.buffer);
  bitmap.set([0x42, 0x4d]);
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
  ] as const)
    view.setUint32(at, value, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  return bitmap.fill(20, 54 + width * 3 * 100, 54 + width * 3 * 200);
};

test('a saved page is visited without a browser, for its icon', async () => {
  await using folder = temporaryDirectory();
  writeFileSync(`${folder.path}/icon.bin.png`, pictureOf(64, 64));
  const page = Buffer.from(`<link rel=icon href=icon.bin.png>${LOGIN}`);
  await using served = serveSavedPage(`${folder.path}/a page.html`, page, null);
  const config = forPageAt(served.port, configIn(`${folder.path}/data`));
  const { visit, icons, looks, pictures } = await visitOwnPage(
    targetOf(served.url),
    config,
    createLogger('error', () => {}),
  );
  expect(visit?.document?.title).toBe('Nordwerk');
  expect([icons.length, looks.length, pictures.size]).toEqual([1, 0, 0]);
});

test('a saved page loads what is beside and below it, and nothing else', async () => {
  await using folder = temporaryDirectory();
  mkdirSync(`${folder.path}/pages/page_files`, { recursive: true });
  writeFileSync(`${folder.path}/pages/page_files/a.css`, 'body{}');
  for (const name of ['secret.css', 'pages/key.pem', 'pages/other.html'])
    writeFileSync(`${folder.path}/${name}`, 'secret');
  symlinkSync(`${folder.path}/secret.css`, `${folder.path}/pages/link.css`);
  await using served = serveSavedPage(`${folder.path}/pages/page.html`, Buffer.from(LOGIN), 'text/html');
  const statusOf = async (path: string) => (await fetch(new URL(path, served.url))).status;
  expect(await statusOf('page.html')).toBe(200);
  expect(await statusOf('page_files/a.css')).toBe(200);
  const others = ['%2e%2e%2fsecret.css', 'link.css', 'key.pem', 'other.html', 'gone.css', '%00.css', '%ff.css'];
  expect(await Promise.all(others.map(statusOf))).toEqual(others.map(() => 404));
});

test('a picture of a page has a look, if its window has the right proportions', async () => {
  const seen = await lookAtPicture(pictureOf(1280, 800));
  if (seen === null || 'problem' in seen) throw new Error('the picture was not read');
  const [look] = seen.looks;
  expect(look).toMatchObject({ width: 1280, height: 800, fields: [], picture: [...seen.pictures.keys()][0] });
  expect(await lookAtPicture(pictureOf(390, 844))).toMatchObject({ problem: expect.stringContaining('390 by 844') });
  const blank = pictureOf(1280, 800).fill(255, 54);
  expect(await lookAtPicture(blank)).toMatchObject({ problem: expect.stringContaining('too little') });
  expect(await lookAtPicture(Buffer.from(LOGIN))).toBeNull();
});
