import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInternet } from '#test/support/internet.ts';
import { writeConfigFile } from './config-file.ts';
import { labSites } from './sites.ts';

/** Runs the laboratory until it is interrupted, and says how to reach it. */
async function runLab(): Promise<void> {
  const sites = labSites('example', Date.now());
  await using internet = await startInternet(sites);
  const directory = await mkdtemp(join(tmpdir(), 'lurecheck-lab-'));
  try {
    const configPath = await writeConfigFile(internet, directory);
    const rows = Object.entries(sites).map(([name, { about }]) => `  ${internet.url(name).padEnd(46)}${about}`);
    process.stdout.write(
      [
        'A small internet runs on this machine until you press Ctrl-C.',
        '',
        'To check one of its sites, in another terminal:',
        `  bun src/main.ts check --config ${configPath} URL`,
        'To start the service against it:',
        `  bun src/main.ts serve --config ${configPath}`,
        '',
        ...rows,
        '',
      ].join('\n'),
    );
    await new Promise((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
  } finally {
    await rm(directory, { recursive: true });
  }
}

await runLab();
