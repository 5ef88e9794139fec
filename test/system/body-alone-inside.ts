import { ODD_ANSWERS } from '#test/network/egress/odd-answers.ts';
import { serveScript } from '#test/network/egress/script-server.ts';
import { holdsPassword, isAskedInChromium, visit } from './asked-for-password.ts';
import { openBrowser } from './ui-browser.ts';

/** Sends a page without a status line at two ports, and prints who saw its form: for `odd-answers.test.ts`. */
const bytes = ODD_ANSWERS.find(({ name }) => name.startsWith('HTTP/0.9'))?.bytes ?? Buffer.alloc(0);
await using browser = await openBrowser();
const report: Record<string, { readonly chromium: boolean; readonly probe: boolean }> = {};
for (const port of [80, 8080]) {
  await using _ = await serveScript(() => bytes, false, { address: '127.0.0.1', port });
  const url = `http://127.0.0.1:${port}/`;
  report[port] = { chromium: await isAskedInChromium(browser, url), probe: holdsPassword(await visit(url)) };
}
process.stdout.write(JSON.stringify(report));
