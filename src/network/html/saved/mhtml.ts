import { decodeTransfer, mimeParameter, readMimeHeaders } from './mime-part.ts';

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
