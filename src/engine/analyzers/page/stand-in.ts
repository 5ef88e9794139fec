import { PLACEHOLDER_MARKS } from '#src/core/knowledge/words/page-marks.ts';
import type { PageField } from '#src/network/html/document.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import type { PageView } from './page-view.ts';

/** Maximum text of a challenge; a page with more has its own content, whatever its title says. */
const MAX_CHALLENGE_CHARACTERS = 2000;

/** Maximum text beside a CAPTCHA that stands before a page. */
const MAX_GATE_CHARACTERS = 400;

/**
 * Returns true if another page answered instead of the site's own: a bot challenge, the sign-in page of a network, or
 * an empty page. False for a page that asks for a secret, so that a phishing page cannot pass for one.
 */
export function isStandIn(page: PageView, { headers }: Pick<PageVisit, 'headers'>): boolean {
  const { document } = page;
  if (PLACEHOLDER_MARKS.headers.some(([name = '', value]) => headers[name]?.trim().toLowerCase() === value))
    return true;
  if (page.secrets.size > 0 || document.visibleText.length > MAX_CHALLENGE_CHARACTERS) return false;
  if (isBlank(page) || PLACEHOLDER_MARKS.titles.has((document.title ?? '').toLowerCase().replaceAll('’', "'")))
    return true;
  const loaded = [
    ...document.assets.flatMap(({ kind, source }) => (kind === 'script' ? [source] : [])),
    ...document.frames.map(({ source }) => source),
    ...document.refreshes.map(({ content }) => content),
    ...document.scripts.endpoints,
  ].map((address) => address.toLowerCase());
  const loads = (parts: readonly string[]) => loaded.some((address) => parts.some((part) => address.includes(part)));
  if (loads(PLACEHOLDER_MARKS.addresses) || (loads(PLACEHOLDER_MARKS.captchas) && isGate(page))) return true;
  const comments = document.comments.map((comment) => comment.toLowerCase());
  return comments.some((comment) => PLACEHOLDER_MARKS.comments.some((part) => comment.includes(part)));
}

/** Returns true if a page with a CAPTCHA shows hardly more than the question of who visits it. */
function isGate({ document: { title, visibleText, forms } }: PageView): boolean {
  if (visibleText.length > MAX_GATE_CHARACTERS || forms.some(({ fields }) => fields.some(isAsked))) return false;
  const text = `${title ?? ''} ${visibleText}`.toLowerCase().replaceAll('’', "'");
  return PLACEHOLDER_MARKS.questions.some((question) => text.includes(question));
}

function isAsked({ kind, type }: PageField): boolean {
  return kind !== 'hidden' && type !== 'checkbox';
}

/**
 * Returns true if the page shows nothing and has no script that could. Unknown, hence false, for a page that was cut
 * off.
 */
function isBlank({ document, isCut }: PageView): boolean {
  if (isCut) return false;
  const { visibleText, hiddenText, forms, frames, links, assets, scripts, exits, title, counts } = document;
  const shown = forms.length + frames.length + links.length + assets.length + exits.length;
  const items = shown + scripts.inlineCount + (counts.handlers ?? 0);
  return items === 0 && (title ?? '') === '' && visibleText === '' && hiddenText === '';
}
