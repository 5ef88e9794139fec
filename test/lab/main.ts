import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInternet } from '#test/support/internet.ts';
import { configFileFor } from './config-file.ts';
import { LAB_SITES } from './sites.ts';

/** Runs the laboratory until it is interrupted, and says how to reach it. */
async function runLab(): Promise<void> {
  await using internet = await startInternet(LAB_SITES);
  const directory = await mkdtemp(join(tmpdir(), 'lurecheck-lab-'));
  try {
    const authorityPath = join(directory, 'authority.pem');
    const configPath = join(directory, 'lab.toml');
    await writeFile(authorityPath, internet.authority.pem);
    await writeFile(configPath, configFileFor(internet, authorityPath));
    const rows = Object.entries(LAB_SITES).map(([name, { about }]) => `  ${internet.url(name).padEnd(46)}${about}`);
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
