import type { Page } from 'playwright-core';

/** Folder for pictures of what people see; none by default. */
const PICTURES = process.env['LURECHECK_PICTURES'];

/** Takes a picture of the whole page, to be looked at. */
export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}
