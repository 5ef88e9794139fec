import { assess } from '#src/assess/assess.ts';
import { isTargetProblem, parseTarget } from '#src/url/target.ts';
import { findSlowUrl, NOTHING, serve } from '#test/record/slow-url.ts';
import { shortCpuMs } from '#test/support/cpu-time.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { createRandom } from '#test/support/random.ts';

/** Searches for the slowest URL, and prints what it costs the serving thread: `bun test/bench/slow-url.ts`. */
const SEEDS = 5;
const STEPS = 300;

function judge(url: string): void {
  const target = parseTarget(url);
  if (!isTargetProblem(target)) assess(target, NOTHING, MODELS, SETTINGS);
}

const WORK = { 'reading, describing and masking': serve, 'reading and judging': judge };

for (const [name, work] of Object.entries(WORK)) {
  const wallMs = (url: string) => {
    const startMs = performance.now();
    work(url);
    work(url);
    return performance.now() - startMs;
  };
  const found = Array.from({ length: SEEDS }, (_, seed) => {
    const url = findSlowUrl(createRandom(seed), STEPS, wallMs);
    return { url, ms: shortCpuMs(() => work(url)) };
  });
  const worst = found.reduce((most, one) => (one.ms > most.ms ? one : most));
  process.stdout.write(
    `${name}: ${worst.ms.toFixed(1)} ms of processor time for ${JSON.stringify(worst.url.slice(0, 80))}…\n`,
  );
}
