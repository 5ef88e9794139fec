import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { HTML_SETTINGS, type HtmlSettings } from './settings.ts';

/** Budget for parsing one page. All limits are in UTF-16 code units or items. */
export interface HtmlLimits {
  /** Units of work, as {@link WORK} counts them. */
  readonly work: number;
  /** The page itself; what comes behind is not read. */
  readonly characters: number;
  /** Markup that scripts write and frames carry, all together. */
  readonly innerCharacters: number;
  /** Maximum nesting of pages within pages (`srcdoc`, `document.write`). */
  readonly innerDepth: number;
  /** Characters that are passed to the tokenizer at once; the budget is checked in between. */
  readonly chunkCharacters: number;
  /** Open elements; a deeper one takes the place of the one around it, much as browsers do at 512. */
  readonly depth: number;
  readonly attributesPerElement: number;
  readonly attributeCharacters: number;
  readonly visibleTextCharacters: number;
  readonly hiddenTextCharacters: number;
  readonly labelCharacters: number;
  readonly links: number;
  readonly assets: number;
  readonly forms: number;
  readonly fields: number;
  readonly comments: number;
  readonly smallItems: number;
  /** Inline script that is looked into, all together. */
  readonly scriptCharacters: number;
}

const KIB = 1024;

/**
 * Units of work that reading takes, a unit being some 20 ns of processor time at most. Work is counted rather than
 * timed, so that the same page is read equally far on every host, however busy it is. Measured with
 * `test/slow/work-units.ts`.
 */
export const WORK = {
  /** Of a page, of nested markup, of `noscript`. */
  character: 1,
  /** A tag with its attributes, its handling, and the content of its name in the document. */
  element: 60,
  /** Of a script, which a dozen expressions search. */
  scriptCharacter: 8,
} as const;

/** Work that is counted as a second of processor time. */
const WORK_PER_SECOND = 50_000_000;

/**
 * Generous for what people read, small for a server: of 1,636 saved pages (logins, shops, articles) the largest had
 * 2,275 links, 817 assets and 154 fields.
 */
const COUNTS = {
  innerDepth: 2,
  chunkCharacters: 4096,
  depth: 256,
  attributesPerElement: 64,
  attributeCharacters: 8192,
  visibleTextCharacters: 64 * KIB,
  hiddenTextCharacters: 16 * KIB,
  labelCharacters: 160,
  links: 2000,
  assets: 1000,
  forms: 100,
  fields: 500,
  comments: 100,
  smallItems: 50,
};

/**
 * Returns the limits for the settings. Every stored byte of a page is parsed and becomes at most one code unit. Beyond
 * the usual 2 MiB, a quarter may be nested markup, and half may be script.
 */
export function htmlLimits({ body_bytes, html_timeout_seconds }: HtmlSettings): HtmlLimits {
  return {
    ...COUNTS,
    work: WORK_PER_SECOND * html_timeout_seconds,
    characters: body_bytes,
    innerCharacters: Math.max(512 * KIB, body_bytes / 4),
    scriptCharacters: Math.max(1024 * KIB, body_bytes / 2),
  };
}

/** Limits of a page that is parsed outside a check: for a configured brand, or in a measurement. */
export const USUAL_HTML_LIMITS: HtmlLimits = htmlLimits(defaultsOf(HTML_SETTINGS));
