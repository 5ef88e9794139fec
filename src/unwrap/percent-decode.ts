const UTF8 = new TextDecoder();
const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

/** `text` with its percent-escapes undone once, as UTF-8; what is not valid stays or becomes U+FFFD. Never throws. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(ESCAPES, (run) => UTF8.decode(Uint8Array.fromHex(run.replaceAll('%', ''))));
}
