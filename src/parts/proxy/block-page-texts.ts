import type { LanguageTag } from '#src/core/languages/languages.ts';
import { readTexts, type Texts } from '#src/core/languages/read-texts.ts';

/** Returns the words of the block page and the headings of reasons in each language. Called at build time. */
export function blockPageTexts() {
  const texts = Object.entries(readTexts()).map(([tag, { block, page }]) => [
    tag,
    { ...block, headings: page.headings },
  ]);
  return Object.fromEntries(texts) as Record<LanguageTag, BlockPageTexts>;
}

/** Words of the block page, and headings of reasons by code. */
export type BlockPageTexts = Texts['block'] & { readonly headings: Texts['page']['headings'] };
