import type { ScriptString } from './script-strings.ts';

/** Decodes a {@link ScriptString}; null if it cannot be decoded. */
export function decodeScriptString(text: ScriptString): string | null {
  let value = text.value;
  try {
    for (const decoder of text.decoders.toReversed()) value = decode(decoder.toLowerCase(), value);
  } catch {
    return null;
  }
  return value;
}

function decode(decoder: string, value: string): string {
  switch (decoder) {
    case 'atob':
      return atob(value);
    case 'unescape':
      return unescapeText(value);
    case 'escape':
      return escapeText(value);
    case 'string.fromcharcode':
      return value.replace(/(\d{1,7})[\s,]*/g, (_, code: string) => String.fromCharCode(Number(code)));
    default:
      return decodeURIComponent(value);
  }
}

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
