import { expect, test } from 'bun:test';
import { apiDocument } from '#src/app/parts/api-document.ts';
import { startServer } from '#test/service/server/running-server.ts';
import { expectShown } from './expect-shown.ts';
import { launchChromium } from './ui-browser.ts';

test('in a browser the documentation shows every route and can call one, without other hosts or errors', async () => {
  await using server = startServer({ settings: { base_path: '/phish' } });
  const browser = await launchChromium('MAP * ~NOTFOUND , EXCLUDE 127.0.0.1');
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    const elsewhere: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      const address = request.url();
      if (!address.startsWith(server.url) && !address.startsWith('data:')) elsewhere.push(address);
    });
    await page.goto(`${server.url}/phish/swagger`);
    await page.locator('.opblock').first().waitFor();
    const paths = await page.locator('.opblock-summary-path').allInnerTexts();
    const { paths: documented } = await apiDocument('/phish');
    const operations = Object.entries(documented).flatMap(([path, methods]) => Object.keys(methods).map(() => path));
    expect(operations).toContain('/phish/api/check-url');
    expect(paths.map((path) => path.replaceAll('\u200b', '')).sort()).toEqual(operations.sort());

    const operation = page.locator('#operations-Checks-checkUrl');
    await operation.locator('.opblock-summary').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const status = operation.locator('.live-responses-table .response-col_status').last();
    await status.waitFor();
    await expectShown(() => status.textContent()).toStartWith('200');
    expect(server.requests.length).toBe(1);
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] });
  } finally {
    await browser.close();
  }
});
