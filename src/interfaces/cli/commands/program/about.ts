import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { LICENSE, VERSION } from '#src/core/base/version.ts';
import type { Command } from '../../command.ts';

/** `lurecheck about` */
export const aboutCommand: Command<'about'> = {
  name: 'about',
  operands: '',
  summary: 'print the version, and the age of the facts in the executable',
  options: {},
  examples: [
    { line: 'lurecheck about', purpose: 'Print the tables of facts, the oldest first.' },
    { line: 'lurecheck about | head -2', purpose: 'Print the version and the oldest table.' },
  ],
  async run(_invocation, io) {
    const { FACT_AGES, OLDEST_FACTS } = await import('#src/app/fact-ages.ts');
    const { table, retrieved } = OLDEST_FACTS;
    const days = Math.floor((systemClock.now() - Date.parse(retrieved)) / DAY_MS);
    const lines = FACT_AGES.map((one) => `  ${one.retrieved}  ${one.table}\n`).join('');
    await io.stdout.write(
      `lurecheck ${VERSION}, ${LICENSE}\noldest table of facts: ${table}, of ${retrieved} (${counted(days, 'day')} ago)\n${lines}`,
    );
    return 0;
  },
};
