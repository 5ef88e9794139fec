import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`;

/** What axe finds wrong with a page as it is shown. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return await page.evaluate<string[]>(RUN);
}
