/** What reading one page may cost. Everything is counted in UTF-16 code units or items. */
export interface HtmlLimits {
  /** Wall time from the first character on. */
  readonly timeMs: number;
  /** The page itself; what comes behind is not read. */
  readonly characters: number;
  /** Markup that scripts write and frames carry, all together. */
  readonly innerCharacters: number;
  /** How many pages stand within pages (`srcdoc`, `document.write`). */
  readonly innerDepth: number;
  /** Fed to the tokenizer at once; the clock is looked at in between. */
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

/**
 * Generous for what people read, small for a server: of 1,636 saved pages (logins, shops, articles) the largest had 2,275
 * links, 817 assets and 154 fields. The time is below the second after which the thread is ended, so that a partial page
 * still comes out.
 */
export const DEFAULT_HTML_LIMITS: HtmlLimits = {
  timeMs: 800,
  characters: 2 * 1024 * 1024,
  innerCharacters: 512 * 1024,
  innerDepth: 2,
  chunkCharacters: 4096,
  depth: 256,
  attributesPerElement: 64,
  attributeCharacters: 8192,
  visibleTextCharacters: 64 * 1024,
  hiddenTextCharacters: 16 * 1024,
  labelCharacters: 160,
  links: 2000,
  assets: 1000,
  forms: 100,
  fields: 500,
  comments: 100,
  smallItems: 50,
  scriptCharacters: 1024 * 1024,
};
