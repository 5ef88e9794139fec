import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { PATIENT_MS } from '#test/support/patience.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium without a window: the same engine, which starts and opens a page with a quarter of the processor time. */
const HEADLESS = ['/usr/bin/chromium-headless-shell', ...CHROMIUM];

/** A browser that can reach nothing but this machine. */
export interface TestBrowser extends AsyncDisposable {
  /** A page in a context of its own, watched from its first request on. */
  open(url: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** A page, and everything on it that should not have happened. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** Console messages, errors, dialogs, and requests to another origin; empty on a good page. */
  readonly troubles: readonly string[];
  /** Addresses of all requests, with what they carried. */
  readonly requests: readonly string[];
}

/**
 * Starts Debian's Chromium.
 *
 * @throws Error saying what to install where it is missing.
 */
export async function openBrowser(...flags: readonly string[]): Promise<TestBrowser> {
  const browser = await launchChromium(LOOPBACK_ALONE, flags);
  return {
    open: (url, options) => openPage(browser, url, options),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/**
 * Starts Debian's Chromium, which resolves names by these rules alone; `flags` are passed on to it. With flags it is the one
 * with windows, since the other has no camera.
 */
export async function launchChromium(hostResolverRules: string, flags: readonly string[] = []): Promise<Browser> {
  return await chromium.launch(launchOptions(flags.length > 0 ? CHROMIUM : HEADLESS, hostResolverRules, flags));
}

/**
 * Starts Debian's Chromium with a profile in a folder: it installs pages, which neither a context of its own does nor
 * Chromium without a window.
 */
export async function launchInstalling(folder: string): Promise<BrowserContext> {
  return await chromium.launchPersistentContext(folder, launchOptions(CHROMIUM, LOOPBACK_ALONE, []));
}

const LOOPBACK_ALONE = 'MAP * ~NOTFOUND , EXCLUDE 127.0.0.1';

function launchOptions(paths: readonly string[], hostResolverRules: string, flags: readonly string[]) {
  const executablePath = paths.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('no Chromium here: apt-get install chromium');
  return {
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      `--host-resolver-rules=${hostResolverRules}`,
      ...flags,
    ],
  };
}

async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENT_MS);
  const troubles: string[] = [];
  const requests: string[] = [];
  const { origin } = new URL(url);
  page.on('console', (message) => {
    // The browser itself reports an answer that is not a success; what the page makes of it is what is tested.
    if (!/^Failed to load resource: the server responded/.test(message.text())) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    requests.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`);
    const isLocal = request.url().startsWith(`${origin}/`) || request.url().startsWith('blob:');
    if (!isLocal) troubles.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  // What stands in the page's place until its language is there.
  await page.locator('body > noscript').waitFor({ state: 'detached' });
  return { page, troubles, requests, [Symbol.asyncDispose]: () => context.close() };
}

/** The box, found as whoever drives the page finds it. */
export function linkBox(page: Page) {
  return page.getByRole('textbox').first();
}

/** The button, found as whoever drives the page finds it. */
export function checkButton(page: Page) {
  return page.getByRole('button', { name: /^Check( \d+ links)?$/ });
}

/** The section of a finished check. */
export function resultSection(page: Page) {
  return page.locator('section[data-decision]');
}

/** Opens the details for analysts of the result, which are loaded then. */
export async function openDetails(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('.analysts').open = true");
  await page.locator('.analysts .panels').waitFor();
}

/** Does what stands in the menu of a result. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}
