import { parseArgs } from 'node:util';
import { soakTable } from './figures.ts';
import { runSoak } from './run-soak.ts';

/** `bun run soak [--minutes N] [--seed S] [--json FILE]`: a bad day for the executable, and what came of it. Ends with 1 where a promise was broken. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
  strict: true,
});

const figures = await runSoak(Number(values.minutes), Number(values.seed), true);
if (values.json !== undefined) await Bun.write(values.json, `${JSON.stringify(figures, null, 2)}\n`);
process.stdout.write(`${soakTable(figures)}\n`);
for (const violation of figures.violations) process.stderr.write(`VIOLATION: ${violation}\n`);
process.exitCode = figures.violations.length === 0 ? 0 : 1;
