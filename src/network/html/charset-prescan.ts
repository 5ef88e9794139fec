/** Number of bytes that are scanned (HTML standard, "prescan a byte stream to determine its encoding"). */
const PRESCAN_BYTES = 1024;

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

/** The label that a `meta` element at the start of a page declares; null where none does. Comments are skipped. */
export function prescanMeta(bytes: Uint8Array): string | null {
  const text = String.fromCharCode(...bytes.subarray(0, PRESCAN_BYTES)).toLowerCase();
  let at = text.indexOf('<');
  while (at !== -1) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 2);
      if (end === -1) return null;
      at = end + 3;
    } else if (/^<\/?[a-z]/.test(text.slice(at, at + 3))) {
      const { label, end } = readTag(text, at);
      if (label !== null) return label;
      at = end;
    } else if (/^<[!/?]/.test(text.slice(at, at + 2))) {
      const end = text.indexOf('>', at);
      if (end === -1) return null;
      at = end;
    } else {
      at += 1;
    }
    at = text.indexOf('<', at);
  }
  return null;
}

function readTag(text: string, start: number): { label: string | null; end: number } {
  const isMeta = /^<meta[\t\n\f\r /]/.test(text.slice(start, start + 6));
  let at = start + 1;
  while (at < text.length && !/[\t\n\f\r >]/.test(text.charAt(at))) at++;
  const attributes = new Map<string, string>();
  for (let next = readAttribute(text, at); next; next = readAttribute(text, at)) {
    if (!attributes.has(next.name)) attributes.set(next.name, next.value);
    at = next.end;
  }
  return { label: isMeta ? metaLabel(attributes) : null, end: Math.max(at, start + 1) };
}

function metaLabel(attributes: ReadonlyMap<string, string>): string | null {
  const charset = attributes.get('charset');
  if (charset !== undefined) return charset;
  if (attributes.get('http-equiv') !== 'content-type') return null;
  const match = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"']+))/.exec(
    attributes.get('content') ?? '',
  );
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

function readAttribute(text: string, from: number): Attribute | null {
  let at = from;
  while (at < text.length && /[\t\n\f\r /]/.test(text.charAt(at))) at++;
  if (at >= text.length || text.charAt(at) === '>') return null;
  const nameStart = at;
  at += 1;
  while (at < text.length && !/[\t\n\f\r />=]/.test(text.charAt(at))) at++;
  const name = text.slice(nameStart, at);
  while (at < text.length && /[\t\n\f\r ]/.test(text.charAt(at))) at++;
  if (text.charAt(at) !== '=') return { name, value: '', end: at };
  at += 1;
  while (at < text.length && /[\t\n\f\r ]/.test(text.charAt(at))) at++;
  const quote = text.charAt(at);
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 1);
    return end === -1 ? null : { name, value: text.slice(at + 1, end), end: end + 1 };
  }
  const valueStart = at;
  while (at < text.length && !/[\t\n\f\r >]/.test(text.charAt(at))) at++;
  return { name, value: text.slice(valueStart, at), end: at };
}
