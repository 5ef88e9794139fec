import type { PageSyntax } from '#src/network/html/charset.ts';
import { isReadToEnd, isTransformed, type PageDocument } from '#src/network/html/document.ts';
import { USUAL_HTML_LIMITS } from '#src/network/html/limits.ts';
import { readPage } from '#src/network/html/read-page.ts';
import type { MarkupReading } from '../collect-markup.ts';
import { readMarkup } from '../links-in-html.ts';
import { type MessageLink, messageLink } from '../message-link.ts';
import { gatherLinks, type Reading } from '../reading.ts';

/** Targets of the scripts of a page. */
interface ScriptReading {
  readonly links: readonly MessageLink[];
  /** True if a script or a style sheet was found of which it is not known what it does. */
  readonly hasUnreadCode: boolean;
}

/** Something that runs a script. */
const SCRIPTED = /<script|javascript:|\bon[a-z]{3,24}\s{0,20}=/i;

/** An element with code of its own, or of another file. Data for other programs has another type. */
const SCRIPT = /<(?:[\w.-]{1,30}:)?script\b([^<>]{0,2000})>(?!\s{0,2000}<\/(?:[\w.-]{1,30}:)?script)/gi;
const OTHER_TYPE =
  /\btype\s{0,20}=\s{0,20}["']?\s{0,20}(?!module\b|(?:text|application)\/(?:x-)?(?:java|ecma)script)[\w./+-]/i;
const EXTERNAL = /<(?:[\w.-]{1,30}:)?script\b[^<>]{0,2000}\ssrc\s{0,20}=/i;

/** Address of a page whose own one is unknown; no host has this name (RFC 2606). */
const UNKNOWN = 'https://message.example/';

const TYPES: Readonly<Record<PageSyntax, string>> = { html: 'text/html', xml: 'application/xhtml+xml' };

/** Limits for the user's own message. */
const LIMITS = {
  ...USUAL_HTML_LIMITS,
  work: Number.POSITIVE_INFINITY,
  characters: 32 * 1024 * 1024,
  innerCharacters: 4 * 1024 * 1024,
  scriptCharacters: 4 * 1024 * 1024,
};

/**
 * Reads markup with the reader of fetched pages, which looks into scripts: where they lead, and what they write. Returns
 * nothing for HTML without a script. Never throws.
 *
 * @param base address of the page; null if unknown, so that relative addresses lead nowhere
 */
function linksInPage(markup: string, base: string | null, reading: Reading, syntax: PageSyntax): ScriptReading {
  if (syntax === 'html' && !SCRIPTED.test(markup)) return { links: [], hasUnreadCode: false };
  const source = { contentType: `${TYPES[syntax]}; charset=utf-8`, url: base ?? UNKNOWN };
  const page = readPage(new TextEncoder().encode(markup), source, LIMITS, reading.isSpent);
  if (!isReadToEnd(page)) reading.leaveOut();
  const links = linksOf(page).filter(({ url }) => !url.startsWith(UNKNOWN));
  const isFollowed = page.exits.some(({ how }) => how === 'script') || page.forms.some(isWritten);
  const hasUnreadScript = base === null && !isFollowed && hasCode(markup, syntax);
  return { links, hasUnreadCode: isTransformed(page) || hasUnreadScript };
}

const isWritten = ({ origin }: PageDocument['forms'][number]): boolean => origin === 'written';

function linksOf({ exits, forms, links, refreshes, frames }: PageDocument): MessageLink[] {
  const actions = forms.flatMap(({ action, buttonActions }) => [
    ...(action === null ? [] : [action]),
    ...buttonActions,
  ]);
  return [
    ...exits.map(({ how, url }) => messageLink(url, '', how === 'link' ? undefined : how)),
    ...refreshes.flatMap(({ url }) => (url === null ? [] : [messageLink(url, '', 'refresh')])),
    ...actions.map((url) => messageLink(url, '', 'form')),
    ...frames.flatMap(({ url }) => (url === null ? [] : [messageLink(url, '', 'frame')])),
    ...links.flatMap(({ url, text }) => (url === null ? [] : [messageLink(url, text)])),
  ].filter(({ url }) => /^https?:/.test(url));
}

function hasCode(markup: string, syntax: PageSyntax): boolean {
  if (EXTERNAL.test(markup)) return true;
  const isEmpty = (attributes: string) => syntax === 'xml' && attributes.endsWith('/');
  return Array.from(markup.matchAll(SCRIPT)).some(
    ([, attributes = '']) => !isEmpty(attributes) && !OTHER_TYPE.test(attributes),
  );
}

/** Links of markup, with those of its scripts. */
export interface PageMarkupReading extends MarkupReading {
  /** True if there is a script or a style sheet of which it is not known what it shows or does. */
  readonly hasUnreadCode: boolean;
}

/**
 * Reads markup with its scripts; see {@link readMarkup}.
 *
 * @param savedAt address of the page by the enclosing mail
 */
export function readPageMarkup(
  markup: string,
  reading: Reading,
  savedAt: string | null = null,
  syntax: PageSyntax = 'html',
): PageMarkupReading {
  const source = syntax === 'xml' ? withNamespace(markup) : markup;
  const { links, base, ...shown } = readMarkup(source, reading, savedAt, syntax);
  const page = linksInPage(source, base, reading, syntax);
  const all = gatherLinks(reading);
  all.add(links);
  all.add(page.links);
  return { ...shown, base, links: all.distinct(), hasUnreadCode: page.hasUnreadCode };
}

/** Declares the namespace of a root element without one, which some programs show nevertheless. */
function withNamespace(xml: string): string {
  return xml.replace(/<(svg|html)\b(?![^<>]{0,2000}\sxmlns\s{0,20}=)/i, (root, name: string) => {
    const isDrawing = name.toLowerCase() === 'svg';
    return `${root} xmlns="http://www.w3.org/${isDrawing ? '2000/svg' : '1999/xhtml'}"`;
  });
}
