import { join } from 'node:path';
import { interleave } from './interleave.ts';
import { urlOf } from './load-urls.ts';
import type { Plan } from './plan.ts';
import type { Programs, SampleSheet } from './samples.ts';

/** How fast a file of URLs is judged, the start of the program included. */
export async function measurePipe(
  programs: Programs,
  { rounds, lines }: Plan,
  folder: string,
  sheet: SampleSheet,
): Promise<void> {
  const file = join(folder, 'urls.txt');
  await Bun.write(file, Array.from({ length: lines }, (_, n) => `${urlOf(n)}\n`).join(''));
  await interleave(
    rounds,
    [...programs].map(([subject, program]) => async () => {
      const startedMs = performance.now();
      const child = Bun.spawn([program, 'check', '--network', 'none', '--format', 'ndjson', '-'], {
        stdin: Bun.file(file),
        stdout: 'pipe',
        stderr: 'inherit',
        env: {},
      });
      const answered = await lineCount(child.stdout);
      await child.exited;
      if (answered !== lines) throw new Error(`${program} answered ${answered} of ${lines} lines`);
      const micros = Number(child.resourceUsage()?.cpuTime.total ?? Number.NaN);
      sheet.add('pipe', subject, lines / (micros / 1e6));
      sheet.add('pipeOnAll', subject, lines / ((performance.now() - startedMs) / 1000));
    }),
  );
}

const LINE_FEED = 0x0a;

async function lineCount(stream: ReadableStream<Uint8Array>): Promise<number> {
  let lines = 0;
  for await (const chunk of stream) {
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++;
  }
  return lines;
}
