import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { HistoryItem } from '#src/checks/record/history-page.ts';
import type { Look } from '../elements/look.ts';

/** A check of a site among others, the earliest first. */
export interface SiteVerdict {
  readonly url: string;
  readonly look: Look;
  readonly probability: number;
  readonly timestamp: string;
  readonly model: string;
  /** Null if the history does not have it. */
  readonly coverage: CheckResult['analysis_details']['coverage'] | null;
}

/** Difference between two successive checks with different verdicts. */
export interface VerdictChange {
  readonly from: SiteVerdict;
  readonly to: SiteVerdict;
  /** `page_seen`, `page_unseen`: the page is now read, or no longer read. `link`: another link of the site. */
  readonly differs: readonly ('page_seen' | 'page_unseen' | 'model' | 'link')[];
}

/** A check of the history. */
export function siteVerdictOf({
  url,
  decision,
  caution,
  malicious_probability: probability,
  timestamp,
  model_version: model,
  coverage,
}: HistoryItem): SiteVerdict {
  const look = decision === 'allow' && caution ? 'caution' : decision;
  return { url, look, probability, timestamp, model, coverage };
}

/** The changes of the verdict among checks of one site, the earliest first. */
export function changesOf(checks: readonly SiteVerdict[]): VerdictChange[] {
  return checks.slice(1).flatMap((to, at) => {
    const from = checks[at];
    return from === undefined || from.look === to.look ? [] : [{ from, to, differs: differences(from, to) }];
  });
}

function differences(from: SiteVerdict, to: SiteVerdict): VerdictChange['differs'] {
  const isKnown = from.coverage !== null && to.coverage !== null;
  const [before, after] = [from.coverage === 'full', to.coverage === 'full'];
  return [
    ...(isKnown && !before && after ? (['page_seen'] as const) : []),
    ...(isKnown && before && !after ? (['page_unseen'] as const) : []),
    ...(from.model !== '' && to.model !== '' && from.model !== to.model ? (['model'] as const) : []),
    ...(from.url === to.url ? [] : (['link'] as const)),
  ];
}
