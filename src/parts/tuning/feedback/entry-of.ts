import { MASK } from '#src/checks/record/redact/mask.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';

/**
 * Returns the list entry that covers a reported URL: its host and path with everything below. A masked path is cut before the
 * mask. Null if no entry is possible.
 */
export function entryOf(url: string): string | null {
  const target = parseTarget(url);
  if (isTargetProblem(target)) return null;
  const { requestUrl, path } = target;
  const host = requestUrl.slice(0, requestUrl.indexOf('/', requestUrl.indexOf('//') + 2));
  const masked = path.indexOf(MASK);
  return `${host}${masked === -1 ? path : path.slice(0, path.lastIndexOf('/', masked) + 1)}`;
}
