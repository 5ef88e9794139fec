import type { CheckResult } from '#src/checks/record/check-result.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';

type Redirect = CheckResult['analysis_details']['redirects'][number];

/** A URL to which a kept check led. */
export interface KeptHop {
  readonly target: Target;
  /** What was said of it by its URL alone; null in records of version 0.1. */
  readonly probability: number | null;
  /** True if the check ended there: what was seen of its page is not kept, so it is scored only if a list names it. */
  readonly isLanding: boolean;
}

/** Returns the URLs to which a kept check led, each once. */
export function keptHops({ analysis_details: { redirects, final_url } }: CheckResult): KeptHop[] {
  const hops = redirects.flatMap(({ location, malicious_probability: probability }): KeptHop[] => {
    const target = targetOf(location);
    return target ? [{ target, probability, isLanding: location === final_url }] : [];
  });
  return [...new Map(hops.map((hop) => [hop.target.url, hop])).values()];
}

/** Returns the URL that a kept verdict is about: the checked one, or the hop that its reasons name. */
export function subjectOf(kept: CheckResult, asked: Target): Target {
  const { reasons, redirects } = kept.analysis_details;
  const told = reasons.find(({ component, args }) => isOfUrl(component) && args['how'] !== undefined)?.args;
  if (told === undefined) return asked;
  const isTold = (hop: Redirect) => hop.how === told['how'] && targetOf(hop.location)?.host.text === told['inside'];
  return targetOf(redirects.find(isTold)?.location ?? null) ?? asked;
}

/** Whether the reasons of a component name the URL that they are about. */
function isOfUrl(component: string): boolean {
  return component === 'url' || component === 'brand' || component === 'lists';
}

function targetOf(url: string | null): Target | null {
  const target = url === null ? null : parseTarget(url);
  return target === null || isTargetProblem(target) ? null : target;
}
