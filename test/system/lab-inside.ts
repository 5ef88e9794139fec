import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkLab } from '#test/lab/check-lab.ts';
import { labSites } from '#test/lab/sites.ts';
import { startInternet } from '#test/support/internet.ts';
import { PUBLIC } from '#test/support/place.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** Runs inside a namespace: the laboratory at public addresses, and the executable against it. Prints the results. */
async function run(): Promise<void> {
  const sites = labSites('com', Date.now());
  await using internet = await startInternet(sites, PUBLIC);
  await using directory = temporaryDirectory();
  const authorityPath = join(directory.path, 'authority.pem');
  await writeFile(authorityPath, internet.authority.pem);
  const args = ['--dns-server', PUBLIC.resolver, '--egress-ca', authorityPath];
  const results = await checkLab(internet, sites, args);
  process.stdout.write(JSON.stringify({ results: Object.fromEntries(results), visits: internet.visits }));
}

await run();
