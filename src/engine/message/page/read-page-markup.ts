import type { PageSyntax } from '#src/network/html/charset.ts';
import type { MarkupReading } from '../collect-markup.ts';
import { gatherLinks } from '../gathered-links.ts';
import { readMarkup } from '../links-in-html.ts';
import type { Reading } from '../reading.ts';
import { linksInPage } from './links-in-page.ts';

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
