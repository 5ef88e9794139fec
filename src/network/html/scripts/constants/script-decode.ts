/** Functions that decode a text, by their names; each may throw. */
export const TEXT_DECODERS: Readonly<Record<string, (text: string) => string>> = {
  atob,
  unescape: unescapeText,
  decodeURI,
  decodeURIComponent,
};

/** Functions that encode a text, by their names; each may throw. */
export const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  btoa,
  escape: escapeText,
  encodeURI,
  encodeURIComponent,
};

/** The legacy `unescape` (ECMAScript Annex B.2.1.2). */
function unescapeText(text: string): string {
  return text.replace(/%u([0-9a-f]{4})|%([0-9a-f]{2})/gi, (_, wide: string | undefined, narrow: string | undefined) =>
    String.fromCharCode(Number.parseInt(wide ?? narrow ?? '0', 16)),
  );
}

/** The legacy `escape` (ECMAScript Annex B.2.1.1). */
function escapeText(text: string): string {
  return text.replace(/[^\w@*+./-]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase();
    return code.length > 2 ? `%u${code.padStart(4, '0')}` : `%${code.padStart(2, '0')}`;
  });
}
