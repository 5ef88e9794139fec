const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

/** `text` with its percent-escapes undone once, as UTF-8; what is not valid stays or becomes U+FFFD. Never throws. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(ESCAPES, (run) => {
    const bytes = new Uint8Array(run.length / 3);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(run.slice(3 * i + 1, 3 * i + 3), 16);
    return new TextDecoder().decode(bytes);
  });
}
