import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import encodeQR from 'qr';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { expectShown } from './expect-shown.ts';
import { launchInstalling, linkBox, openBrowser, resultSection, type WatchedPage } from './ui-browser.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const directory = opened.use(temporaryDirectory());
const service = opened.use(await startService(join(directory.path, 'data'), ['--base-path', '/lure']));
const page = `${service.url}/lure/`;
const browser = opened.use(await openBrowser());

/** A page that was installed: it has been started once, so that its service worker is there. */
async function start(address: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const watched = await browser.open(address, options);
  await watched.page.goto(`${address}start`);
  await watched.page.waitForURL(address);
  await watched.page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  return watched;
}

const sessionOf = (of: Page): Promise<CDPSession> => of.context().newCDPSession(of);

test('Chromium installs and starts the page, also below a base path', async () => {
  await using profile = temporaryDirectory();
  await using context = await launchInstalling(profile.path);
  for (const address of [`${service.url}/`, page]) {
    const shown = await context.newPage();
    await shown.goto(address);
    const session = await sessionOf(shown);
    const { url, errors, manifest } = await session.send('Page.getAppManifest');
    expect(url).toBe(`${address}manifest.webmanifest`);
    expect(errors).toEqual([]);
    expect(manifest).toMatchObject({ startUrl: `${address}start`, scope: address, name: 'lurecheck' });
    expect(manifest?.shareTarget).toMatchObject({ action: `${address}share` });
    expect((await session.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
    await session.send('PWA.install', { manifestId: `${address}start` });
    const [window] = await Promise.all([
      context.waitForEvent('page'),
      session.send('PWA.launch', { manifestId: `${address}start` }),
    ]);
    await window.waitForURL((at) => at.href.startsWith(address) && !at.href.endsWith('start'));
    await linkBox(window).waitFor();
  }
});

/** Posts as the share target of the manifest says, from a page of another origin or from none. */
async function share(from: Page, text: string): Promise<void> {
  await from.setContent(
    `<form method="post" action="${page}share"><textarea name="text"></textarea><button>Share</button></form>`,
  );
  await from.locator('textarea').fill(text);
  await from.getByRole('button').click();
  await from.waitForURL((url) => url.href.startsWith(page) && !url.href.includes('share'));
}

test('a shared link is in the input field, and neither in a log nor in the address', async () => {
  const text = 'Look at this: https://shared.example/a?b=c&d=%41#e – it is odd. Also https://second.example/x';
  for (const isInstalled of [false, true]) {
    await using watched = await (isInstalled ? start(page) : browser.open(page));
    const { page: shown, troubles } = watched;
    await shown.goto('about:blank');
    await share(shown, text);
    await linkBox(shown).waitFor();
    await expectShown(() => linkBox(shown).inputValue()).toBe(text);
    expect(shown.url()).toBe(`${page}#/`);
    await expectShown(() => shown.locator('#reading li .mono').allTextContents()).toEqual([
      'https://shared.example/a?b=c&d=%41#e',
      'https://second.example/x',
    ]);
    expect(troubles.filter((one) => !one.startsWith('request to about:'))).toEqual([]);
  }
  expect((await service.history()).items).toEqual([]);
  expect(JSON.stringify(service.output)).not.toContain('shared.example');
});

test('without its service, the installed page reports that in the language of the reader, and shows no old data', async () => {
  await using other = temporaryDirectory();
  const data = join(other.path, 'data');
  const first = await startService(data);
  const address = `${first.url}/`;
  await using english = await start(address);
  await using arabic = await start(address, { locale: 'ar-EG' });
  await linkBox(english.page).fill('https://before.example/');
  await english.page.keyboard.press('Enter');
  await resultSection(english.page).waitFor();
  await first.stop();
  for (const at of [address, `${address}start`, `${address}help`]) {
    await english.page.goto(at);
    await expectShown(() => english.page.locator('h1').textContent()).toBe('lurecheck cannot reach its service');
    expect(await english.page.locator('body').textContent()).not.toContain('before.example');
  }
  await arabic.page.goto(address);
  await expectShown(() => arabic.page.locator('html').getAttribute('dir')).toBe('rtl');
  expect(await english.page.evaluate('caches.keys()')).toEqual([]);
  await using again = await startService(data, ['--listen', new URL(address).host]);
  await english.page.getByRole('link', { name: 'Try again' }).click();
  await linkBox(english.page).waitFor();
  expect(again.url).toBe(first.url);
  expect(await resultSection(english.page).count()).toBe(0);
});

test('the camera reads a code, sends no request, and is then switched off', async () => {
  const video = join(directory.path, 'code.y4m');
  await Bun.write(video, videoOf('https://scanned.example/by-camera'));
  await using scanning = await openBrowser(
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  );
  await using watched = await scanning.open(page, { permissions: ['camera'] });
  const { page: shown, requests, troubles } = watched;
  const before = requests.length;
  await shown.getByRole('button', { name: 'Scan with the camera' }).click();
  for (let step = 0; step < 20_000 && (await linkBox(shown).inputValue()) === ''; step++);
  await expectShown(() => linkBox(shown).inputValue()).toBe('https://scanned.example/by-camera');
  expect(await shown.locator('dialog').count()).toBe(0);
  expect(requests.slice(before).filter((one) => !/^GET \S+\/assets\/part-\w+\.js $/.test(one))).toEqual([]);
  await shown.keyboard.press('Enter');
  await resultSection(shown).waitFor();
  expect(troubles).toEqual([]);
});

test('a refused camera is reported, and its dialog is closed', async () => {
  await using watched = await browser.open(page);
  const { page: shown } = watched;
  await shown.getByRole('button', { name: 'Scan with the camera' }).click();
  await shown.getByRole('alert').filter({ hasText: 'The camera cannot be used.' }).waitFor();
  expect(await shown.locator('dialog').count()).toBe(0);
});

/** A video of one picture that shows a code, as Chromium's fake camera takes it (YUV4MPEG2). */
function videoOf(text: string): Uint8Array {
  const [width, height, scale] = [640, 480, 8];
  const code = encodeQR(text, 'raw', { border: 4 });
  const luma = new Uint8Array(width * height).fill(235);
  for (const [row, cells] of code.entries()) {
    for (const [column, isDark] of cells.entries()) {
      if (!isDark) continue;
      for (let line = 0; line < scale; line++) {
        const at = (60 + row * scale + line) * width + 120 + column * scale;
        luma.fill(16, at, at + scale);
      }
    }
  }
  const chroma = new Uint8Array((width * height) / 2).fill(128);
  const frame = [Buffer.from('FRAME\n'), luma, chroma];
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F20:1 Ip A1:1 C420mpeg2\n`), ...frame, ...frame]);
}
