import { MASK } from '#src/checks/record/redact/mask.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';

/**
 * The entry of a list that covers what feedback is about: its URL and what lies below, on its host alone, by any query. Of a
 * path with a mask in it, what stands before; null for what no entry can be.
 */
export function entryOf(url: string): string | null {
  const target = parseTarget(url);
  if (isTargetProblem(target)) return null;
  const { requestUrl, path } = target;
  const host = requestUrl.slice(0, requestUrl.indexOf('/', requestUrl.indexOf('//') + 2));
  const masked = path.indexOf(MASK);
  return `${host}${masked === -1 ? path : path.slice(0, path.lastIndexOf('/', masked) + 1)}`;
}
