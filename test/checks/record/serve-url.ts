import { cachedJson } from '#src/checks/record/cached-json.ts';
import { recordCheck } from '#src/checks/record/check-record.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import { jsonLine } from '#src/core/base/logger.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { NOTHING } from '#test/slow/serving-work.ts';

const ASSESSMENT: Omit<Assessment, 'unwrappedUrls' | 'decidingHost'> = {
  verdict: { probability: 0.5, logOdds: 0, baseLogOdds: -2.94, scores: {}, contributions: [] },
  decision: 'allow',
  thresholds: { warn: 0.4, block: 0.8 },
  counterfactual: null,
  brand: null,
  hops: [],
  coverage: 'url_only',
  isSuspicious: false,
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
    via: 'api',
    startedAtMs: 0,
    elapsedMs: 1,
    stagesMs: { observe: 0, assess: 0 },
    target,
    observations,
    assessment: {
      ...ASSESSMENT,
      decidingHost: target.host.text,
      unwrappedUrls: unwrap(target).map(({ url: inner }) => inner),
    },
  });
  const { answer, record } = recordCheck({ visibility: 'public', result, host: target.host, client: null });
  return cachedJson(answer).length + cachedJson(record.result).length + jsonLine(describeEvent(record)).length;
}
