import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { asksSomething, contentOf } from '#src/network/html/shown-content.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';

/** Types that a browser shows without a way on; of all others, a visit sees nothing. */
const INERT_TYPE =
  /^\s*(?:image\/(?!svg)|audio\/|video\/|font\/|text\/(?!html|xml)|application\/(?:json|javascript)\b)/i;

/**
 * Returns the host at which a visit ended before it saw what a person would see; null if it came to its end. The visit
 * may have stopped at a redirect, at a bot challenge, at a file that is not read, or at a page that leads on by itself.
 *
 * @param isChallenge true if another page answered instead of the site's own; an empty one leads nowhere.
 */
export function unfollowedHost(visit: PageVisit, isChallenge: boolean): string | null {
  if (hasStopped(visit) || (isChallenge && !isBlank(visit)) || isUnreadFile(visit)) return hostIn(visit.finalUrl);
  const leading = [...visit.passed, visit].find(leadsOnUnread);
  return leading ? hostIn(leading.finalUrl) : null;
}

/** Returns true if a page takes its visitors to what was not fetched, or shows it in a frame that fills the page. */
export function leadsOnUnread({ exits, document }: Pick<PageVisit, 'exits' | 'document'>): boolean {
  if (document === null) return false;
  const { isShort } = contentOf(document);
  const mayBeSent = isShort || !document.forms.some(asksSomething);
  return exits.some(({ how }) => how === 'frame' || (how === 'form' && mayBeSent) || (how === 'script' && isShort));
}

/** The end of the parser's budget is a fact about the page. */
function hasStopped({ stopped }: PageVisit): boolean {
  return stopped !== null && stopped.code !== 'parser_budget_exceeded';
}

function isUnreadFile({ document, statusCode, contentLength, headers }: PageVisit): boolean {
  return document === null && statusCode < 400 && contentLength > 0 && !INERT_TYPE.test(headers['content-type'] ?? '');
}

function isBlank({ document }: PageVisit): boolean {
  if (document === null || document.title !== null) return false;
  const { isBare, unread } = contentOf(document);
  return isBare && unread === null;
}

function hostIn(url: string): string | null {
  const target = parseTarget(url);
  return isTargetProblem(target) ? null : target.host.text;
}
