import type { Page } from 'playwright-core';
import { lurecheck } from '#test/support/executable.ts';

/** Creates a key as an operator does, and returns its secret. */
export async function createConsoleKey(dataDir: string, name: string, scope = 'admin'): Promise<string> {
  const { stdout, stderr } = await lurecheck(['key', 'create', name, '--scope', scope, '--data-dir', dataDir]);
  const secret = /lck_[\w-]+/.exec(stdout)?.[0];
  if (secret === undefined) throw new Error(`no key was created: ${stderr}`);
  return secret;
}

/** Types a key into the form of the console, and waits until the screen is there. */
export async function signInWith(page: Page, secret: string): Promise<void> {
  await page.locator('input[type="password"]').fill(secret);
  await page.keyboard.press('Enter');
  await page.locator('input[type="password"]').waitFor({ state: 'detached' });
}

/** True for what should not have happened; Chromium reports that signing out cleared its cache. */
export function isTrouble(message: string): boolean {
  return !message.startsWith('Clear-Site-Data header on');
}
