import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openBrowser } from '#test/system/ui-browser.ts';

// How long the web page takes to its first paint, from the executable on this machine, beside a bare page that takes turns
// with it: bun test/bench/first-paint.ts
const RUNS = 15;
const PAINT = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null';

await using directory = temporaryDirectory();
await using service = await startService(directory.path);
await using browser = await openBrowser();
const bare = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () =>
    new Response('<!doctype html><title>bare</title><h1>bare</h1>', { headers: { 'content-type': 'text/html' } }),
});

async function paintMs(url: string): Promise<number> {
  await using watched = await browser.open(url);
  await watched.page.waitForFunction(`(${PAINT}) !== null`);
  return await watched.page.evaluate<number>(PAINT);
}

const pageMs: number[] = [];
const bareMs: number[] = [];
for (let run = 0; run < RUNS; run++) {
  pageMs.push(await paintMs(`${service.url}/`));
  bareMs.push(await paintMs(`http://127.0.0.1:${bare.port}/`));
}
await bare.stop(true);

const medianOf = (figures: number[]) => figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
const [page, beside] = [medianOf(pageMs), medianOf(bareMs)];
process.stdout.write(
  `first contentful paint, medians of ${RUNS} cold visits: ${Math.round(page)} ms, a bare page ${Math.round(beside)} ms: ` +
    `${(page / beside).toFixed(2)} times\n`,
);
