import { openLog } from './open-log.ts';

/** A process that purges the public log up to a moment, or does what deletions ask for: `erase-child.ts DIRECTORY [BEFORE_MS]`. */
const [directory = '', beforeMs] = process.argv.slice(2);

await using log = await openLog(directory);
if (beforeMs === undefined) await log.deletions.finish('public');
else await log.purge('public', Number(beforeMs));
