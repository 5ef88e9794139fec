import type { CheckResult } from '#src/checks/record/check-result.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';

type Redirect = CheckResult['analysis_details']['redirects'][number];

/** A URL of a stored redirect chain. */
export interface StoredHop {
  readonly target: Target;
  /** Its probability by URL alone; null in records of version 0.1. */
  readonly probability: number | null;
  /** True for the last URL: its page is not stored, so it is scored only if a list names it. */
  readonly isLanding: boolean;
}

/** Returns the URLs of a stored redirect chain, each once. */
export function storedHops({ analysis_details: { redirects, final_url } }: CheckResult): StoredHop[] {
  const hops = redirects.flatMap(({ location, malicious_probability: probability }): StoredHop[] => {
    const target = targetOf(location);
    return target ? [{ target, probability, isLanding: location === final_url }] : [];
  });
  return [...new Map(hops.map((hop) => [hop.target.url, hop])).values()];
}

/** Returns the URL that a stored verdict is about: the checked one, or the hop that its reasons name. */
export function subjectOf(result: CheckResult, asked: Target): Target {
  const { reasons, redirects } = result.analysis_details;
  const subject = reasons.find(({ component, args }) => isOfUrl(component) && args['how'] !== undefined)?.args;
  if (subject === undefined) return asked;
  const isSubject = (hop: Redirect) =>
    hop.how === subject['how'] && targetOf(hop.location)?.host.text === subject['inside'];
  return targetOf(redirects.find(isSubject)?.location ?? null) ?? asked;
}

/** Returns true if the reasons of a component name the URL that they are about. */
function isOfUrl(component: string): boolean {
  return component === 'url' || component === 'brand' || component === 'lists';
}

function targetOf(url: string | null): Target | null {
  const target = url === null ? null : parseTarget(url);
  return target === null || isTargetProblem(target) ? null : target;
}
