import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openBrowser } from '#test/system/ui-browser.ts';

// How long the web page takes to its first paint, from the executable on this machine: bun test/bench/first-paint.ts
const RUNS = 15;

await using directory = temporaryDirectory();
await using service = await startService(directory.path);
await using browser = await openBrowser();
const paintsMs: number[] = [];
for (let run = 0; run < RUNS; run++) {
  await using watched = await browser.open(`${service.url}/`);
  await watched.page.getByRole('textbox').first().waitFor();
  const paint = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null';
  await watched.page.waitForFunction(`(${paint}) !== null`);
  paintsMs.push(await watched.page.evaluate<number>(paint));
}
paintsMs.sort((a, b) => a - b);
const at = (share: number) => Math.round(paintsMs[Math.floor(share * (RUNS - 1))] ?? 0);
process.stdout.write(`first contentful paint, ${RUNS} cold visits: median ${at(0.5)} ms, worst ${at(1)} ms\n`);
