/** The head of an HTTP/1 response. */
export interface ResponseHead {
  /** Usually of three digits; what a server makes up may have more. */
  readonly status: number;
  /** By lower-case name. Several of one name are joined by a comma, but for `location`, of which the first counts. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whether the status line names version 1.1 or later; only then a body may come in chunks. */
  readonly isHttp11: boolean;
}

/** How far before the status line a browser looks for it, in bytes. */
const SLOP_BYTES = 4;
const NUL = 0;
const LF = 10;
const CR = 13;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Finds where a head that begins at `start` ends, in bytes that come piece by piece: behind its first empty line. A line
 * ends with LF, before which a CR may stand. The answer is −1 where more must come; what has been looked at is not
 * looked at again.
 */
export function createHeadEnd(start: number): (bytes: Uint8Array) => number {
  let at = start;
  let isLineEmpty = false;
  return (bytes) => {
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === LF) {
        if (isLineEmpty) return at + 1;
        isLineEmpty = true;
      } else if (byte !== CR || bytes[at - 1] !== LF) isLineEmpty = false;
    }
    return -1;
  };
}

/**
 * Where the status line begins: browsers look for `HTTP`, in whatever case, in the first few bytes. Null where too little
 * has come to tell; −1 for what is no response of HTTP/1.
 */
export function startOfHead(bytes: Uint8Array): number | null {
  const opening = latin1(bytes.subarray(0, SLOP_BYTES + 4)).toLowerCase();
  const start = opening.indexOf('http');
  if (start !== -1) return start;
  return bytes.length < SLOP_BYTES + 4 ? null : -1;
}

/**
 * Reads a head as leniently as browsers do, because whoever wants not to be seen by a scanner answers with what only a
 * browser takes: lines may end with LF alone and be folded, and a line that is no header is passed over. What
 * Chromium 156 does with each oddity was tried (`test/network/egress/odd-answers.ts`). Null where a browser refuses it too.
 *
 * @param bytes from the status line to the empty line.
 */
export function readHead(bytes: Uint8Array): ResponseHead | null {
  if (bytes.includes(NUL)) return null;
  const [statusLine = '', ...lines] = linesOf(latin1(bytes));
  // The lookahead keeps what follows the version whole, where a line has no end that fits.
  const [, major = '1', minor = '0', , rest = ''] =
    /^http(?:\/(\d{1,9})\.(\d{1,9}))?(?=(\S*))\3(.*)$/i.exec(statusLine) ?? [];
  const digits = /^ *(\d+)/.exec(rest)?.[1];
  const status = digits === undefined ? 200 : Number(digits);
  if (status < 100 || status > 9999) return null;
  const isHttp11 = Number(major) > 1 || (Number(major) === 1 && Number(minor) > 0);
  return { status, headers: readHeaders(lines), isHttp11 };
}

/** The lines that are not empty; one that begins with a space or a tab goes on with the one before. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split(/[\r\n]/)) {
    if (line === '') continue;
    const isFolded = line.startsWith(' ') || line.startsWith('\t');
    if (isFolded && lines.length > 1) lines.push(`${lines.pop()} ${withoutBlanks(line)}`);
    else lines.push(line);
  }
  return lines;
}

function readHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = withoutBlanks(line.slice(0, Math.max(colon, 0))).toLowerCase();
    if (!TOKEN.test(name)) continue;
    const value = withoutBlanks(line.slice(colon + 1));
    const earlier = headers.get(name);
    if (earlier === undefined) headers.set(name, value);
    else if (name !== 'location') headers.set(name, `${earlier}, ${value}`);
  }
  return headers;
}

/** Without the spaces and tabs at both ends. A regular expression would take quadratic time for some values. */
function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isBlank = (code: number) => code === 32 || code === 9;

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
