import { join } from 'node:path';
import { interleave } from './interleave.ts';
import { urlOf } from './load-urls.ts';
import type { Plan } from './plan.ts';
import type { Programs, SampleSheet, Subject } from './samples.ts';

/** Part of the lines of the longest list, by figure. */
const LISTS = { pipeShort: 0.1, pipeMedium: 0.2, pipeLong: 1, pipeRecorded: 0.5 } as const;

/** Measures how fast `check -` classifies lists of URLs, the start of the program included. */
export async function measurePipe(
  programs: Programs,
  { rounds, lines }: Plan,
  folder: string,
  sheet: SampleSheet,
): Promise<void> {
  const urls = Array.from({ length: lines }, (_, n) => `${urlOf(n)}\n`);
  let recordings = 0;
  for (const [figure, part] of Object.entries(LISTS) as [keyof typeof LISTS, number][]) {
    const count = Math.round(part * lines);
    const file = join(folder, `${figure}.txt`);
    await Bun.write(file, urls.slice(0, count).join(''));
    const measure = async (subject: Subject, program: string) => {
      const dataDir = join(folder, `recorded-${recordings++}`);
      const recorded = figure === 'pipeRecorded' ? ['--record', 'public', '--data-dir', dataDir] : [];
      const { cpuSeconds, seconds } = await checkList(program, recorded, file, count);
      sheet.add(figure, subject, count / cpuSeconds);
      if (figure === 'pipeLong') sheet.add('pipeOnAll', subject, count / seconds);
    };
    await interleave(
      rounds,
      [...programs].map(
        ([subject, program]) =>
          () =>
            measure(subject, program),
      ),
    );
  }
}

/** Checks a list; throws Error if a line has no answer. */
async function checkList(program: string, args: readonly string[], file: string, lines: number) {
  const startedMs = performance.now();
  const child = Bun.spawn([program, 'check', '--network', 'none', '--format', 'tsv', ...args, '-'], {
    stdin: Bun.file(file),
    stdout: 'pipe',
    stderr: 'inherit',
    env: {},
  });
  let answered = 0;
  for await (const chunk of child.stdout) answered += lineFeedsIn(chunk);
  await child.exited;
  if (answered !== lines) throw new Error(`${program} answered ${answered} of ${lines} lines`);
  const cpuSeconds = Number(child.resourceUsage()?.cpuTime.total ?? Number.NaN) / 1e6;
  return { cpuSeconds, seconds: (performance.now() - startedMs) / 1000 };
}

const LINE_FEED = 0x0a;

function lineFeedsIn(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}
