import type { MarkupReading } from '../collect-markup.ts';
import { readMarkup } from '../links-in-html.ts';
import { withoutRepeats } from '../message-link.ts';
import type { Reading } from '../reading.ts';
import { linksInPage } from './links-in-page.ts';
import { xmlAsHtml } from './xml-as-html.ts';

/** Links of markup, with those of its scripts. */
export interface PageMarkupReading extends MarkupReading {
  /** True if there is a script, an entity or a style sheet of which it is not known what it shows or does. */
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
  isXml = false,
): PageMarkupReading {
  const xml = isXml || /^\s{0,1000}<\?xml\s/.test(markup) ? xmlAsHtml(markup) : { markup, isHidden: false };
  const { links, base, ...shown } = readMarkup(xml.markup, reading, savedAt);
  const page = linksInPage(xml.markup, base, reading);
  const hasUnreadCode = xml.isHidden || (page.hasUnreadScript && base === null);
  return { ...shown, base, links: withoutRepeats([...links, ...page.links], reading), hasUnreadCode };
}
