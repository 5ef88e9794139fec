import { join } from 'node:path';
import { interleave } from './interleave.ts';
import { urlOf } from './load-urls.ts';
import type { Plan } from './plan.ts';
import { processMicros } from './process-figures.ts';
import type { Programs, SampleSheet } from './samples.ts';

/** How far a stream of URLs was, and when. */
interface Mark {
  readonly lines: number;
  readonly atMs: number;
  /** Processor time of the program by then. */
  readonly micros: number;
}

/**
 * How fast a stream of URLs is judged: the beginning, with the start of the program, and what follows, when the compiler has
 * done its work.
 */
export async function measurePipe(
  programs: Programs,
  { rounds, warmUps, lines }: Plan,
  folder: string,
  sheet: SampleSheet,
): Promise<void> {
  const file = join(folder, 'urls.txt');
  const all = warmUps + lines;
  await Bun.write(file, Array.from({ length: all }, (_, n) => `${urlOf(n)}\n`).join(''));
  await interleave(
    rounds,
    [...programs].map(([subject, program]) => async () => {
      const started: Mark = { lines: 0, atMs: performance.now(), micros: 0 };
      const child = Bun.spawn([program, 'check', '--network', 'none', '--format', 'ndjson', '-'], {
        stdin: Bun.file(file),
        stdout: 'pipe',
        stderr: 'inherit',
        env: {},
      });
      let warm: Mark | null = null;
      let answered = 0;
      for await (const chunk of child.stdout) {
        answered += lineFeedsIn(chunk);
        if (warm || answered < warmUps) continue;
        warm = { lines: answered, atMs: performance.now(), micros: await processMicros(child.pid) };
      }
      await child.exited;
      if (answered !== all || !warm) throw new Error(`${program} answered ${answered} of ${all} lines`);
      const micros = Number(child.resourceUsage()?.cpuTime.total ?? Number.NaN);
      const ended: Mark = { lines: answered, atMs: performance.now(), micros };
      sheet.add('pipeStart', subject, perProcessorSecond(started, warm));
      sheet.add('pipe', subject, perProcessorSecond(warm, ended));
      sheet.add('pipeOnAllStart', subject, perSecond(started, warm));
      sheet.add('pipeOnAll', subject, perSecond(warm, ended));
    }),
  );
}

function perProcessorSecond(from: Mark, to: Mark): number {
  return (to.lines - from.lines) / ((to.micros - from.micros) / 1e6);
}

function perSecond(from: Mark, to: Mark): number {
  return (to.lines - from.lines) / ((to.atMs - from.atMs) / 1000);
}

const LINE_FEED = 0x0a;

function lineFeedsIn(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}
