/** Header fields of a message or of a part (RFC 2045), and where its body begins. */
interface MimeHeaders {
  /** First value of each field by its lower-case name, on one line. */
  readonly fields: ReadonlyMap<string, string>;
  readonly end: number;
}

/** Lines of a header that are read. */
const MAX_LINES = 500;

/** Reads the header fields that begin at an index; none if there is no line of a header. */
export function readMimeHeaders(text: string, from = 0): MimeHeaders {
  const fields = new Map<string, string>();
  let name = '';
  let at = from;
  for (let line = 0; line < MAX_LINES && at < text.length; line++) {
    const next = text.indexOf('\n', at) + 1 || text.length;
    const content = text.slice(at, next).trimEnd();
    const field = /^([!-9;-~]{1,80}):/.exec(content);
    if (content === '' && fields.size > 0) return { fields, end: next };
    if (field?.[1] !== undefined) {
      name = field[1].toLowerCase();
      if (!fields.has(name)) fields.set(name, content.slice(field[0].length).trim());
    } else if (/^[\t ]/.test(content) && name !== '') {
      fields.set(name, `${fields.get(name) ?? ''} ${content.trim()}`);
    } else if (content !== '') {
      break;
    }
    at = next;
  }
  return { fields, end: at };
}

/** Returns a parameter of a header field, quoted or not; null if it is missing. */
function mimeParameter(field: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]{0,200})"|([^\\s;"]{1,200}))`, 'i').exec(field);
  return match?.[1] ?? match?.[2] ?? null;
}

/** Returns a body without its transfer encoding; unchanged for an unknown one. */
function decodeTransfer(body: string, encoding: string): Uint8Array {
  if (/^base64$/i.test(encoding)) return Buffer.from(body, 'base64');
  if (!/^quoted-printable$/i.test(encoding)) return Buffer.from(body, 'latin1');
  const plain = body.replace(/=(?:[\t ]{0,80}\r?\n|([0-9a-f]{2}))/gi, (_, hex: string | undefined) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(plain, 'latin1');
}

/** A page inside an archive. */
export interface ArchivedPage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Parts that are examined, of all levels. */
const MAX_PARTS = 1000;
const MAX_DEPTH = 8;

/** Returns the first page of an archive (MHTML, RFC 2557): what a browser shows of it. Null if there is none. */
export function readMhtml(bytes: Uint8Array): ArchivedPage | null {
  return firstPage(Buffer.from(bytes).toString('latin1'), { left: MAX_PARTS }, 0);
}

function firstPage(part: string, parts: { left: number }, depth: number): ArchivedPage | null {
  const { fields, end } = readMimeHeaders(part);
  const contentType = fields.get('content-type') ?? 'text/plain';
  if (/^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)\b/i.test(contentType)) {
    const encoding = (fields.get('content-transfer-encoding') ?? '').trim();
    return { bytes: decodeTransfer(part.slice(end), encoding), contentType };
  }
  const boundary = /^multipart\//i.test(contentType) ? mimeParameter(contentType, 'boundary') : null;
  if (boundary === null || depth >= MAX_DEPTH) return null;
  for (const inner of partsOf(part.slice(end), boundary)) {
    parts.left -= 1;
    if (parts.left < 0) return null;
    const page = firstPage(inner, parts, depth + 1);
    if (page !== null) return page;
  }
  return null;
}

/** Returns the parts between the lines of a boundary. */
function* partsOf(body: string, boundary: string): Generator<string> {
  const mark = `\n--${boundary}`;
  const source = `\n${body}`;
  for (let at = source.indexOf(mark); at !== -1; ) {
    const from = source.indexOf('\n', at + mark.length);
    if (from === -1 || source.startsWith('--', at + mark.length)) return;
    at = source.indexOf(mark, from);
    yield source.slice(from + 1, at === -1 ? source.length : at);
  }
}
