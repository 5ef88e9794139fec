import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';

/** A URL that a test is sure of; one without a scheme is taken for `http`. */
export function targetOf(url: string): Target {
  const target = parseTarget(url.includes('://') ? url : `http://${url}`);
  if (isTargetProblem(target)) throw new Error(`${url} ${target.message}`);
  return target;
}
