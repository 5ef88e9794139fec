import { hostOf } from '#src/core/url/host.ts';
import type { FieldKind, PageContent, PageDocument, PageForm, PageFrame } from './document.ts';

/** Visible characters below which a page has no content of its own: a heading, or a notice to wait. */
export const BARE_CHARACTERS = 200;

/** The same for a page with signs that a script draws it: a header, a footer and a notice about cookies. */
const DRAWN_CHARACTERS = 1000;

/** “You have received a secure document”, a sentence or two, and the button: longer pages have content of their own. */
const SHORT_CHARACTERS = 500;

/** Maximum number of scripts of its own site that are named for one page. */
const MAX_OWN_SCRIPTS = 2;

/** Returns how much a page shows by itself. */
export function contentOf(document: PageDocument): PageContent {
  return document.content ?? describeContent(document);
}

/** Derives how much a page shows by itself. */
export function describeContent(document: PageDocument): PageContent {
  const isBare = showsNothing(document);
  const unread = unreadPart(document, isBare);
  return { isBare, isShort: isShort(document), unread, ownScripts: unread === 'script' ? ownScripts(document) : [] };
}

/**
 * Returns the visible part of a page that was not read. A frame that covers the window is always one. Scripts, other
 * frames and pictures count only if the document itself shows hardly anything: a script beside content serves that
 * content. A lone picture may be a whole message, such as a QR code.
 */
function unreadPart({ frames, scripts, assets, counts }: PageDocument, isBare: boolean): PageContent['unread'] {
  const unread = frames.filter(isUnread);
  if (unread.some(({ size }) => size === 'window')) return 'frame';
  if (!isBare) return null;
  if (unread.length > 0) return 'frame';
  const external = scripts.externalCount ?? assets.filter(({ kind }) => kind === 'script').length;
  if (external + scripts.inlineCount + (counts.handlers ?? 0) > 0) return 'script';
  return counts.images > 0 ? 'picture' : null;
}

function ownScripts({ url, assets }: PageDocument): string[] {
  const site = siteOf(url);
  const own = assets.flatMap(({ kind, url: address }) => {
    return kind === 'script' && address !== null && siteOf(address) === site ? [address] : [];
  });
  return [...new Set(own)].slice(0, MAX_OWN_SCRIPTS);
}

function showsNothing({ visibleText, forms, scripts, counts }: PageDocument): boolean {
  const isDrawn = (counts.openRoots ?? 0) > 0 || scripts.movesAway === true || scripts.writesUnknown === true;
  return visibleText.length < (isDrawn ? DRAWN_CHARACTERS : BARE_CHARACTERS) && !forms.some(isShown);
}

/** Returns true if a page may be there to lead on: it has little text and asks for nothing. */
export function isShort({ visibleText, forms }: Pick<PageDocument, 'visibleText' | 'forms'>): boolean {
  return visibleText.length <= SHORT_CHARACTERS && !forms.some(isShown);
}

/** Returns true if a form has a field that visitors fill in. */
export function asksSomething({ fields }: PageForm): boolean {
  return fields.some(({ kind }) => kind !== 'hidden');
}

/** Fields that a page may have before its content is drawn; one alone of the second kind, for a newsletter or a language. */
const ASIDE: ReadonlySet<FieldKind> = new Set<FieldKind>(['hidden', 'search']);
const COMMON: ReadonlySet<FieldKind> = new Set<FieldKind>(['other', 'email', 'phone', 'user_name', 'file']);

function asksAPerson(fields: PageForm['fields']): boolean {
  const shown = fields.filter(({ kind, concealed }) => !concealed && !ASIDE.has(kind));
  return shown.length > 1 || shown.some(({ kind }) => !COMMON.has(kind));
}

/** Scripts take forms out of a template; browsers with scripts skip what is for those without. */
function isShown({ fields, origin }: PageForm): boolean {
  return origin !== 'template' && origin !== 'noscript' && asksAPerson(fields);
}

function isUnread({ source, inline, size = 'hidden' }: PageFrame): boolean {
  return !inline && size !== 'hidden' && source !== '' && source !== 'about:blank';
}

/** Returns the registrable domain or address of a web address; null for any other address. */
export function siteOf(url: string): string | null {
  const parsed = /^https?:/i.test(url) ? URL.parse(url) : null;
  return parsed && parsed.hostname !== '' ? hostOf(parsed.hostname).site : null;
}
