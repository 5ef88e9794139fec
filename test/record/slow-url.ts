import { jsonLine } from '#src/base/json-line.ts';
import type { Assessment } from '#src/fusion/assessment.ts';
import type { Observations } from '#src/probes/observations.ts';
import { recordOf } from '#src/record/check-record.ts';
import { describeCheck } from '#src/record/describe-check.ts';
import { describeEvent } from '#src/record/describe-event.ts';
import { writtenJson } from '#src/record/written-json.ts';
import { unwrap } from '#src/unwrap/unwrap.ts';
import { isTargetProblem, MAX_URL_LENGTH, parseTarget } from '#src/url/target.ts';
import { NOTHING } from '#test/slow/serving-work.ts';
import type { Random } from '#test/support/random.ts';

const ASSESSMENT: Omit<Assessment, 'unwrappedUrls'> = {
  verdict: { probability: 0.5, logOdds: 0, baseLogOdds: -2.94, scores: {}, contributions: [] },
  decision: 'allow',
  thresholds: { warn: 0.4, block: 0.8 },
  counterfactual: null,
  brand: null,
  modelVersion: 'test',
};

/**
 * What the serving thread does for a URL besides judging it: reads it, describes what was observed, masks it and writes it
 * down.
 */
export function serve(url: string, observations: Observations = NOTHING): number {
  const target = parseTarget(url);
  if (isTargetProblem(target)) return 0;
  const result = describeCheck({
    requestId: '01900000-0000-7000-8000-000000000000',
    startedAtMs: 0,
    elapsedMs: 1,
    stagesMs: { observe: 0, assess: 0 },
    target,
    observations,
    assessment: { ...ASSESSMENT, unwrappedUrls: unwrap(target).map(({ url: inner }) => inner) },
  });
  const record = recordOf({ visibility: 'public', result, host: target.host, client: null });
  return writtenJson(result).length + writtenJson(record.result).length + jsonLine(describeEvent(record)).length;
}

/** What URLs are made of that make a reader work: names, values, escapes, nesting, half of everything. */
const PIECES =
  'eyJ eyJ. . / // /otp/ /a/b & ; ? # = == a= a=a& k=1& A1=b2& token= pw= code=1a2b @ a@ a@b.cc : :// http://a/? %25 %2525 %252541 %41 %e4 %e4%e4a %C3%A9 %3D %26 %40 %2F%2F %22a%22:%22 "a":" {"token":" " \' é ｏ \u0308 \ud800 1 4111111111111111 a1B2 aB Z9 -a _ + +49 %20 DE89 passw uid= x y.zz ***'.split(
    ' ',
  );

/** A URL of the greatest length, its pieces repeated. */
export function longUrl(pieces: readonly string[]): string {
  const start = 'http://a.example/?a=';
  const unit = pieces.join('') || 'a';
  const room = MAX_URL_LENGTH - start.length;
  return start + unit.repeat(Math.ceil(room / unit.length)).slice(0, room);
}

/**
 * Climbs from random pieces towards the URL for which `cost` is greatest: each step changes one piece, and stays where that
 * was dearer. As many steps as said, the same for the same seed but for how the cost wavers.
 */
export function findSlowUrl(random: Random, steps: number, cost: (url: string) => number): string {
  let best: readonly string[] = [random.pick(PIECES)];
  let bestCost = cost(longUrl(best));
  for (let step = 0; step < steps; step++) {
    const next = step % 20 === 0 ? drawPieces(random) : mutate(best, random);
    const nextCost = cost(longUrl(next));
    if (nextCost <= bestCost) continue;
    best = next;
    bestCost = nextCost;
  }
  return longUrl(best);
}

/** A few pieces at random. */
export function drawPieces(random: Random): string[] {
  return Array.from({ length: 1 + random.below(6) }, () => random.pick(PIECES));
}

function mutate(pieces: readonly string[], random: Random): string[] {
  const at = random.below(pieces.length + 1);
  const removed = random.below(2);
  return pieces.toSpliced(at, removed, ...(random.below(3) === 0 ? [] : [random.pick(PIECES)]));
}
