import { visibleOnPage } from '#src/core/base/text/untrusted-text.ts';

/** The longest foreign text that is shown outside the raw JSON, in UTF-16 code units. */
const MAX_SHOWN = 600;

/** Shows untrusted text without effect on the surrounding text: invisible characters are replaced by their names. */
export function visibleText(text: string, maxLength = MAX_SHOWN): string {
  const shown = visibleOnPage(text.slice(0, maxLength));
  return text.length > maxLength ? `${shown}…` : shown;
}
