import { rmSync, writeFileSync } from 'node:fs';
import { startService } from '#test/support/service.ts';

/** Runs with a small file system at DIRECTORY: fills it under a running service, makes room, and prints what it said. */
const [directory = ''] = process.argv.slice(2);
const ballast = `${directory}/ballast`;
const report: Record<string, unknown> = {};
const status = async (path: string, url: string) => (await fetch(url + path)).status;

await using service = await startService(`${directory}/data`);
report['before'] = (await service.check('http://example.com/before')).status;
try {
  writeFileSync(ballast, Buffer.alloc(64 * 1024 * 1024, 1));
} catch {
  // As much as there is room for.
}
const refused = await service.check('http://example.com/full');
report['full'] = refused.status;
report['retryAfter'] = Number(refused.headers.get('retry-after')) > 0;
report['contentType'] = refused.headers.get('content-type');
report['ready'] = await status('/readyz', service.url);
report['alive'] = await status('/livez', service.url);
report['history'] = (await service.history()).items.map(({ url }) => url);
rmSync(ballast);
report['after'] = (await service.check('http://example.com/after')).status;
report['readyAfter'] = await status('/readyz', service.url);
report['historyAfter'] = (await service.history()).items.map(({ url }) => url);
process.stdout.write(JSON.stringify(report));
