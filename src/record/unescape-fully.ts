const MAX_ROUNDS = 8;

/** Undoes percent escapes, nested ones too, as far as they go. What is not UTF-8 is read as Latin-1. Never throws. */
export function unescapeFully(text: string): string {
  let decoded = text;
  for (let round = 0; round < MAX_ROUNDS && decoded.includes('%'); round++) {
    // `%252541` would take one round for each `25`, and a hostile text has thousands of them.
    const next = decoded.replace(/%(?:25)+(?=[0-9a-f]{2})/gi, '%').replace(/(?:%[0-9a-f]{2})+/gi, decodeRun);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

function decodeRun(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}
