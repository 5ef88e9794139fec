import { visibleOnPage } from '#src/core/base/text/untrusted-text.ts';

/** The longest foreign text that is shown outside the raw JSON, in UTF-16 code units. */
const MAX_SHOWN = 600;

/** A text from elsewhere as it can be shown without changing what stands around it: what is invisible gets a name. */
export function visibleText(text: string, maxLength = MAX_SHOWN): string {
  const shown = visibleOnPage(text.slice(0, maxLength));
  return text.length > maxLength ? `${shown}…` : shown;
}
