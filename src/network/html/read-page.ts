import { decodeHtml } from './charset.ts';
import { readContentPolicies } from './content-policy.ts';
import type { PageDocument } from './document.ts';
import { type HtmlLimits, USUAL_HTML_LIMITS } from './limits.ts';
import { createPageBuilder } from './page-builder.ts';
import { tokenize } from './tokenize.ts';

/** Origin of the bytes. */
export interface PageSource {
  /** The `Content-Type` header; null where there is none. */
  readonly contentType: string | null;
  /** The absolute address of the page, after redirects. */
  readonly url: string;
  /** The `Content-Security-Policy` header; absent where there is none. */
  readonly contentPolicy?: string | undefined;
  /** Texts of script files by their absolute URLs, which are read as if they stood in the page. */
  readonly scripts?: ReadonlyMap<string, string>;
}

/**
 * Reads a page as a browser would, without running its scripts but looking into them. Bounded in work and memory by
 * `limits`: the same page always gives the same document, and what was not read of it is named in `limits` of the answer.
 * Never throws.
 *
 * @param isStopped asked now and then; true ends the reading at once, with what was read so far.
 */
export function readPage(
  bytes: Uint8Array,
  source: PageSource,
  limits: HtmlLimits = USUAL_HTML_LIMITS,
  isStopped: () => boolean = () => false,
): PageDocument {
  const { text, encoding } = decodeHtml(bytes, source.contentType);
  const policies = readContentPolicies(source.contentPolicy ?? null, source.url);
  const { url, scripts = new Map() } = source;
  const builder = createPageBuilder({ url, encoding, policies, scripts }, limits, isStopped);
  if (text.length > limits.characters) builder.reached('characters');
  tokenize(text.slice(0, limits.characters), builder, limits);
  return builder.finish();
}
