/** The longest foreign text that is shown outside the raw JSON, in UTF-16 code units. */
const MAX_SHOWN = 600;

/**
 * Characters that have no picture of their own or that rearrange what stands beside them: controls, line separators,
 * directional marks, embeddings, overrides and isolates (Unicode 16, Bidi_Control), and invisible fillers. The joiners
 * U+200C and U+200D stay, because scripts and emoji need them.
 */
const INVISIBLE = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** A text from elsewhere as it can be shown without changing what stands around it: what is invisible gets a name. */
export function visibleText(text: string, maxLength = MAX_SHOWN): string {
  const start = text.slice(0, maxLength).toWellFormed();
  const shown = start.replace(INVISIBLE, nameOf);
  return text.length > maxLength ? `${shown}…` : shown;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // Control Pictures (U+2400) have a picture for each C0 control.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
