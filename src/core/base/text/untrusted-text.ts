const ASCII = /^[\0-\x7f]*$/;

/** Returns true if a text has ASCII characters alone. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/**
 * Characters of untrusted text that are invisible or change the order of other text (Unicode 16.0): controls (Cc),
 * separators of lines and paragraphs (Zl, Zp), surrogates (Cs), characters without a glyph
 * (Default_Ignorable_Code_Point, which includes all bidirectional controls, joiners, fillers and tags), and the
 * interlinear annotations. This is the only such table; the functions below escape or remove these characters.
 */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{DI}\ufff9-\ufffb]/gu;

/** The same but for what JSON escapes by itself, which here would be the line ends of indented JSON. */
const HIDDEN_IN_JSON = /[\x7f-\x9f\p{Zl}\p{Zp}\p{DI}\ufff9-\ufffb]/gu;

/** Invisible characters that are not typed, and that no emoji needs. */
const INVISIBLE = /(?!\p{Variation_Selector})\p{DI}/gu;

/** Joiners and selectors of a variant, which scripts and emoji need: on a page one sees what they do. */
const SHAPING = /\p{Join_Control}|\p{Variation_Selector}/u;

/** Overrides, and embeddings and isolates from right to left. */
const REVERSING = /[\u202b\u202d\u202e\u2067]/;

/** Marks that isolate an address from the words around it. */
const AROUND = /^[\p{Bidi_Control}]+|[\p{Bidi_Control}]+$/gu;

/** The same in an address that a browser has completed. */
const REVERSING_ENCODED = /%E2%80%A[BDE]|%E2%81%A7/i;

/** Returns true if the characters of an address are displayed in another order than they are stored. */
export function hasBidiReordering(address: string): boolean {
  return REVERSING_ENCODED.test(address) || REVERSING.test(address.replace(AROUND, ''));
}

/** JSON in which nothing is left that an editor or a terminal would not show; a parser reads the same from it. */
export function visibleJson(json: string): string {
  return json.replace(HIDDEN_IN_JSON, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** A text as a terminal may show it, on one line: what is hidden becomes `\xNN`, or `\u{N}` beyond Latin-1. */
export function visibleInTerminal(text: string): string {
  return text.replace(HIDDEN, escapeCharacter);
}

/** A character as `\xNN` or `\u{N}`, its code point in hexadecimal digits. */
export function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/**
 * Beginning of a cell that a spreadsheet takes for a formula; also in the full-width forms that some keyboards type.
 */
const FORMULA = /^[=+\-@\uff0b\uff0d\uff1d\uff20]/;

/**
 * A text as a table may hold it: what is hidden as {@link visibleInTerminal} has it, and likewise a first character
 * that would make a formula of it. The backslash itself stays, so that an ordinary URL reads as it is.
 */
export function escapeCell(text: string): string {
  return visibleInTerminal(text).replace(FORMULA, escapeCharacter);
}

/**
 * A text as a page may show it: controls get their pictures, what else is hidden its number; half a character is
 * U+FFFD.
 */
export function visibleOnPage(text: string): string {
  return text.toWellFormed().replace(HIDDEN, (character) => {
    if (SHAPING.test(character)) return character;
    const code = character.codePointAt(0) ?? 0;
    // Control Pictures (U+2400) have a picture for each C0 control.
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** A text on one plain line: whatever is hidden, and white space of any kind, becomes a single space. */
export function plainLine(text: string): string {
  return text.replace(HIDDEN, ' ').replace(/\s+/g, ' ').trim();
}

/** Removes invisible characters that cannot be intentional; controls and variation selectors stay. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
