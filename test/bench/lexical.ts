import { scoreUrl } from '#src/lexical/score.ts';
import { goldenUrls } from '#test/lexical/golden-urls.ts';
import { model } from '#test/lexical/open-model.ts';
import { targetOf } from '#test/support/target.ts';

/** Prints how long one URL takes on one thread, parsing apart: `bun test/bench/lexical.ts`. */
const ROUNDS = 200;

const targets = goldenUrls.map(targetOf);
let checksum = 0;
const judge = () => {
  for (const target of targets) for (const term of scoreUrl(model, target)) checksum += term.logOdds;
};
for (let round = 0; round < 50; round++) judge();

const rounds = Array.from({ length: ROUNDS }, () => {
  const start = performance.now();
  judge();
  return ((performance.now() - start) * 1000) / targets.length;
}).sort((a, b) => a - b);

const start = performance.now();
for (let round = 0; round < ROUNDS; round++) for (const url of goldenUrls) checksum += targetOf(url).port;
const parsing = ((performance.now() - start) * 1000) / targets.length / ROUNDS;

const median = rounds[ROUNDS / 2] ?? 0;
process.stdout.write(
  `scoreUrl: ${median.toFixed(1)} µs a URL (median of ${ROUNDS} rounds over ${targets.length} URLs), parseTarget: ${parsing.toFixed(1)} µs, checksum ${checksum.toFixed(3)}\n`,
);
