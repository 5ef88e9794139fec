import { decodeHtml } from './charset.ts';
import type { PageDocument } from './document.ts';
import { type HtmlLimits, USUAL_HTML_LIMITS } from './limits.ts';
import { createPageBuilder } from './page-builder.ts';
import { tokenize } from './tokenize.ts';

/** Where bytes came from. */
export interface PageSource {
  /** The `Content-Type` header; null where there is none. */
  readonly contentType: string | null;
  /** The absolute address of the page, after redirects. */
  readonly url: string;
}

/**
 * Reads a page as a browser without scripting would, and looks into its scripts. Bounded in time and memory by `limits`;
 * what could not be read in time is left out and named in `limits` of the answer. Never throws.
 */
export function readPage(bytes: Uint8Array, source: PageSource, limits: HtmlLimits = USUAL_HTML_LIMITS): PageDocument {
  const deadline = performance.now() + limits.timeMs;
  const { text, encoding } = decodeHtml(bytes, source.contentType);
  const builder = createPageBuilder({ url: source.url, encoding }, limits, () => performance.now() > deadline);
  if (text.length > limits.characters) builder.reached('characters');
  tokenize(text.slice(0, limits.characters), builder, limits);
  return builder.finish();
}
