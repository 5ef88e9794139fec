import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { parseAs } from '#test/support/parse-as.ts';
import { PUBLIC } from '#test/support/place.ts';
import { runInNamespace } from '../system/namespace.ts';

const Figures = Type.Object({
  ...{ checks: Type.Integer(), visits: Type.Integer(), p50Seconds: Type.Number() },
  ...{ cpuSecondsPerVisit: Type.Number(), idleMib: Type.Number(), pageMib: Type.Number() },
});

/** The manual's page that has the figures. */
const PAGE = join(import.meta.dir, '../../src/service/manual/browser.md');
const COSTS = /(?<=^## Costs\n\n)(?:.+\n)+/m;
/** Time for all pages, in milliseconds. */
const PATIENCE_MS = 600_000;

/** Returns the sentence of the manual. */
function costsText(figures: Static<typeof Figures>): string {
  const share = Math.round((100 * figures.visits) / figures.checks);
  return `The browser takes ${round(figures.idleMib)} MiB, a page ${round(figures.pageMib)} MiB and ${figures.cpuSecondsPerVisit.toFixed(1)} s of a core, ${figures.p50Seconds.toFixed(1)} s (p50); ${share} % of honest pages needed it.\n`;
}

const round = (mib: number) => Math.round(mib / 10) * 10;

/**
 * `bun run bench --browser`: what a browser costs per page of the laboratory. Prints the figures, and writes them into the
 * manual. As root, as the system tests.
 */
export async function measureBrowser(): Promise<void> {
  const addresses = [PUBLIC.resolver, PUBLIC.siteAddress(0)];
  const printed = await runInNamespace('../bench/browser-inside.ts', {
    ...{ addresses, args: ['/usr/bin/chromium-headless-shell'], timeoutMs: PATIENCE_MS },
  });
  const figures = parseAs(Figures, printed);
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  const page = await Bun.file(PAGE).text();
  await Bun.write(PAGE, page.replace(COSTS, costsText(figures)));
}
