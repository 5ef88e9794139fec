import { decodeReadings, type PageSyntax } from './charset.ts';
import { readContentPolicies } from './content-policy.ts';
import type { PageDocument } from './document.ts';
import { type HtmlLimits, USUAL_HTML_LIMITS } from './limits.ts';
import { createPageBuilder, type ReadSource } from './page-builder.ts';
import { pageSyntax } from './sniff.ts';
import { tokenize } from './tokenize.ts';
import { readXml } from './xml/xml-markup.ts';

/** Origin of the bytes. */
export interface PageSource {
  /** The `Content-Type` header; null if there is none. */
  readonly contentType: string | null;
  /** The absolute address of the page, after redirects. */
  readonly url: string;
  /** The `Content-Security-Policy` header; absent if there is none. */
  readonly contentPolicy?: string | undefined;
  /** Texts of script files by their absolute URLs, which are read as if they stood in the page. */
  readonly scripts?: ReadonlyMap<string, string> | undefined;
}

/**
 * Reads a page as a browser would, without running its scripts but looking into them. Bounded in work and memory by
 * `limits`: the same page always gives the same document, and what was not read of it is named in `limits` of the answer.
 * Bytes that may be read in two encodings give a second document within the same work. Never throws.
 *
 * @param isStopped asked now and then; true ends the reading at once, with what was read so far.
 */
export function readPage(
  bytes: Uint8Array,
  source: PageSource,
  limits: HtmlLimits = USUAL_HTML_LIMITS,
  isStopped: () => boolean = () => false,
): PageDocument {
  const { contentType, url, contentPolicy, scripts = new Map() } = source;
  const syntax: PageSyntax = pageSyntax(bytes, contentType) ?? 'html';
  const policies = readContentPolicies(contentPolicy ?? null, url);
  let { work } = limits;
  const documents = decodeReadings(bytes, contentType, syntax).map(({ text, encoding }) => {
    const read = readText(text, { url, encoding, policies, syntax, scripts }, { ...limits, work }, isStopped);
    work = read.workLeft;
    return read.document;
  });
  return withOtherReading(documents);
}

function readText(text: string, source: ReadSource, limits: HtmlLimits, isStopped: () => boolean) {
  const builder = createPageBuilder(source, limits, isStopped);
  if (text.length > limits.characters) builder.reached('characters');
  const shown = text.slice(0, limits.characters);
  if (source.syntax === 'html') {
    tokenize(shown, builder, limits);
  } else {
    const { isTransformed, isWhole } = readXml(shown, builder, limits, limits.innerCharacters);
    if (isTransformed) builder.reached('transform');
    else if (!isWhole) builder.reached('characters');
  }
  return { document: builder.finish(), workLeft: builder.workLeft() };
}

/**
 * Returns the document of the first reading with the second one as its alternative. Ways out of the second one may be
 * taken, and what was not read of it was not read of the page.
 */
function withOtherReading([first, second]: readonly PageDocument[]): PageDocument {
  if (first === undefined) throw new TypeError('a page without a reading');
  if (second === undefined) return first;
  const known = new Set(first.exits.map(({ url }) => url));
  const targets = new Set(first.refreshes.map(({ url }) => url));
  return {
    ...first,
    limits: [...new Set([...first.limits, ...second.limits])].sort(),
    exits: [...first.exits, ...second.exits.filter(({ url }) => !known.has(url))],
    refreshes: [
      ...first.refreshes,
      ...second.refreshes.filter(({ url }) => !targets.has(url)).map((refresh) => ({ ...refresh, followed: null })),
    ],
    alternative: second,
  };
}
