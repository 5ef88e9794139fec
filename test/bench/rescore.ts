import { join } from 'node:path';
import { executable } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { fillHistory } from './fill-history.ts';

/** How many checks of the log are judged again per second of processor time: `bun test/bench/rescore.ts [CHECKS]`. */
const checks = Number(process.argv[2] ?? 200_000);

await using directory = temporaryDirectory();
await fillHistory(directory.path, checks);
const command = [await executable(), 'rescore', '--quiet', '--format', 'json', '--data-dir', directory.path];
const child = Bun.spawn(command, {
  stdout: Bun.file(join(directory.path, 'changed.json')),
  stderr: 'inherit',
  env: {},
});
await child.exited;
const usage = child.resourceUsage();
const seconds = Number(usage?.cpuTime.total ?? 0) / 1e6;
const megabytes = Math.round((usage?.maxRSS ?? 0) / 1024 / 1024);
process.stdout.write(
  `${checks} checks by another model in ${seconds.toFixed(1)} s of processor time, ${Math.round(checks / seconds)} a second, in ${megabytes} MiB\n`,
);
