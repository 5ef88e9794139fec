import type { CheckResult } from '#src/checks/record/check-result.ts';
import { describeCheck } from '#src/checks/record/describe-check.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { AssessSettings, Models } from '#src/engine/assess/settings.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { targetOf } from './target.ts';

/** What judges a {@link loginCheck}. */
export interface LoginJudges {
  readonly models: Models;
  readonly settings: AssessSettings;
  readonly lists: Observations['lists'];
  /** What the model is called in the answer, where that is not its version. */
  readonly modelVersion?: string;
}

/** The result of a check of a URL that answers with a login, as a log gives it back. */
export function loginCheck(url: string, html: string, { models, settings, lists, ...named }: LoginJudges): CheckResult {
  const target = targetOf(url);
  const document = readPage(new TextEncoder().encode(html), { contentType: 'text/html', url: target.requestUrl });
  const page = visitOf(target, { contentLength: html.length, document });
  const observations = {
    ...skippedObservations('disabled', lists),
    page: { state: 'observed', value: page, elapsedMs: 1 },
  } as const;
  return describeCheck({
    requestId: '01900000-0000-7000-8000-000000000000',
    via: 'page',
    startedAtMs: 0,
    elapsedMs: 1,
    stagesMs: { observe: 0, assess: 0 },
    target,
    observations,
    assessment: { ...assess(target, observations, models, settings), ...named },
  });
}
