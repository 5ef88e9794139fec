import { openKnowledge } from '#src/admin/active/models.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { FACT_AGES, factAgesWith, OLDEST_FACTS } from '#src/app/fact-ages.ts';
import { openPacks } from '#src/app/scoring/classifier.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { LICENSE, VERSION } from '#src/core/base/version.ts';
import type { Command, Invocation } from '../../command.ts';

/** `lurecheck about` */
export const aboutCommand: Command<'about'> = {
  name: 'about',
  operands: '',
  summary: 'print the version, and the age of the facts in use',
  options: {},
  examples: [
    { line: 'lurecheck about', purpose: 'Print the tables of facts, the oldest first.' },
    { line: 'lurecheck about | head -2', purpose: 'Print the version and the oldest table.' },
  ],
  async run({ config }: Invocation<ConfigFor<'about'>>, io) {
    const packs = await openPacks(config.data_dir, openKnowledge());
    const ages = factAgesWith(packs.tables);
    const { table, retrieved } = ages[0] ?? OLDEST_FACTS;
    const days = Math.floor((systemClock.now() - Date.parse(retrieved)) / DAY_MS);
    const lines = ages
      .map((one) => `  ${one.retrieved}  ${one.table}${isOfProgram(one) ? '' : ' (of a pack)'}\n`)
      .join('');
    const problems = [
      packs.problem,
      ...packs.unusable.map(({ installed, problem }) => `${installed.name}: ${problem}`),
    ];
    for (const problem of problems.filter((one) => one !== null))
      await io.stderr.write(`lurecheck: without the facts of packs: ${visibleInTerminal(problem)}\n`);
    await io.stdout.write(
      `lurecheck ${VERSION}, ${LICENSE}\noldest table of facts: ${table}, of ${retrieved} (${counted(days, 'day')} ago)\n${lines}`,
    );
    return 0;
  },
};

function isOfProgram(age: (typeof FACT_AGES)[number]): boolean {
  return FACT_AGES.some((own) => Bun.deepEquals(own, age));
}
