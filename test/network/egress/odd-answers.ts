import zlib from 'node:zlib';

/** One odd HTTP answer: the bytes that a server sends to whoever asks. */
export interface OddAnswer {
  /** A sentence on what is odd; the name of its test. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** What a victim would see: a form that asks for a password. */
const FORM = '<form method=post action=/take><input name=user><input type=password name=pass></form>';
const PAGE = `<!doctype html><title>Sign in</title><h1>Sign in</h1>${FORM}`;

const gzip = (text: string | Buffer) => zlib.gzipSync(text);

function answer(name: string, head: string, body: string | Buffer = PAGE): OddAnswer {
  const header = Buffer.from(`${head.trim().replaceAll(/\r?\n\s*/g, '\r\n')}\r\n\r\n`, 'latin1');
  return { name, bytes: Buffer.concat([header, Buffer.from(body)]) };
}

/** An answer whose bytes are just these. */
const raw = (name: string, text: string): OddAnswer => ({ name, bytes: Buffer.from(text, 'latin1') });

const HTML = 'Content-Type: text/html';
const chunk = (text: string | Buffer, size = text.length.toString(16)) =>
  Buffer.concat([Buffer.from(`${size}\r\n`), Buffer.from(text), Buffer.from('\r\n')]);
const END = Buffer.from('0\r\n\r\n');

/** Answers at the edge of HTTP, of which some browser makes a page. */
export const ODD_ANSWERS: readonly OddAnswer[] = [
  answer('an ordinary page', `HTTP/1.1 200 OK\n${HTML}`),
  answer('a redirect with an empty Location', `HTTP/1.1 302 Found\nLocation:\n${HTML}`),
  answer('a redirect with a Location of spaces', `HTTP/1.1 302 Found\nLocation:   \n${HTML}`),
  answer('a redirect without a Location', `HTTP/1.1 302 Found\n${HTML}`),
  answer('a status 300 with a Location', `HTTP/1.1 300 Choices\nLocation: http://127.0.0.1:1/\n${HTML}`),
  answer('a status 304 that nobody asked for', `HTTP/1.1 304 Not Modified\n${HTML}`),
  answer('a status 305 with a Location', `HTTP/1.1 305 Proxy\nLocation: http://127.0.0.1:1/\n${HTML}`),
  answer('a status 404', `HTTP/1.1 404 Not Found\n${HTML}`),
  answer('a status 500', `HTTP/1.1 500 Oops\n${HTML}`),
  answer('a status 401 with a challenge', `HTTP/1.1 401 No\nWWW-Authenticate: Foo realm=x\n${HTML}`),
  answer('a status 407', `HTTP/1.1 407 Proxy\n${HTML}`),
  answer('a status 205', `HTTP/1.1 205 Reset\n${HTML}`),
  answer('a status of 999', `HTTP/1.1 999 Denied\n${HTML}`),
  answer('a status of four digits', `HTTP/1.1 2000 OK\n${HTML}`),
  answer('a status line without a reason', `HTTP/1.1 200\n${HTML}`),
  answer('a status line of HTTP/1.0', `HTTP/1.0 200 OK\n${HTML}`),
  answer('a status line of HTTP/1.2', `HTTP/1.2 200 OK\n${HTML}`),
  answer('a status line of HTTP/2.0', `HTTP/2.0 200 OK\n${HTML}`),
  answer('a status line in lower case', `http/1.1 200 ok\n${HTML}`),
  answer('a status line of ICY', `ICY 200 OK\n${HTML}`),
  answer('a status line behind an empty line', `\n\nHTTP/1.1 200 OK\n${HTML}`.trimStart()),
  raw('an empty line before the status line', `\r\nHTTP/1.1 200 OK\r\n${HTML}\r\n\r\n${PAGE}`),
  raw('four bytes before the status line', `    HTTP/1.1 200 OK\r\n${HTML}\r\n\r\n${PAGE}`),
  raw('HTTP/0.9: no header at all', PAGE),
  raw('header lines ended by LF alone', `HTTP/1.1 200 OK\n${HTML}\n\n${PAGE}`),
  raw('header lines ended by CR alone', `HTTP/1.1 200 OK\r${HTML}\r\r${PAGE}`),
  raw('header lines ended in both ways', `HTTP/1.1 200 OK\r\n${HTML}\nX-A: b\r\n\n${PAGE}`),
  raw('a header line folded over two', `HTTP/1.1 200 OK\r\nContent-Type:\r\n text/html\r\n\r\n${PAGE}`),
  raw('a header line without a colon', `HTTP/1.1 200 OK\r\nnonsense\r\n${HTML}\r\n\r\n${PAGE}`),
  raw('a header name with a space', `HTTP/1.1 200 OK\r\nX A: b\r\n${HTML}\r\n\r\n${PAGE}`),
  raw('a space before the colon', `HTTP/1.1 200 OK\r\nContent-Type : text/html\r\n\r\n${PAGE}`),
  raw('a header name that is empty', `HTTP/1.1 200 OK\r\n: b\r\n${HTML}\r\n\r\n${PAGE}`),
  raw('a NUL in a header value', `HTTP/1.1 200 OK\r\nX-A: b\0c\r\n${HTML}\r\n\r\n${PAGE}`),
  raw('a control character in a header value', `HTTP/1.1 200 OK\r\nX-A: b\x01c\r\n${HTML}\r\n\r\n${PAGE}`),
  answer('no Content-Type', 'HTTP/1.1 200 OK'),
  answer('two Content-Types, the last one HTML', `HTTP/1.1 200 OK\nContent-Type: text/plain\n${HTML}`),
  answer('two Content-Types, the first one HTML', `HTTP/1.1 200 OK\n${HTML}\nContent-Type: text/plain`),
  answer('a Content-Type of nonsense', 'HTTP/1.1 200 OK\nContent-Type: nonsense'),
  answer('a Content-Type of unknown/unknown', 'HTTP/1.1 200 OK\nContent-Type: unknown/unknown'),
  answer('a Content-Type of */*', 'HTTP/1.1 200 OK\nContent-Type: */*'),
  answer('a Content-Type of two types in one line', 'HTTP/1.1 200 OK\nContent-Type: text/html, text/plain'),
  answer('a Content-Type of two types, HTML the last', 'HTTP/1.1 200 OK\nContent-Type: text/plain, text/html'),
  answer('a Content-Type of XHTML', 'HTTP/1.1 200 OK\nContent-Type: application/xhtml+xml', xhtml()),
  answer('a Content-Type of XML around XHTML', 'HTTP/1.1 200 OK\nContent-Type: text/xml', xhtml()),
  answer("XHTML as a vendor's XML", 'HTTP/1.1 200 OK\nContent-Type: application/x+xml', xhtml()),
  answer('a drawing that holds XHTML', 'HTTP/1.1 200 OK\nContent-Type: image/svg+xml', svg()),
  answer('plain text', 'HTTP/1.1 200 OK\nContent-Type: text/plain'),
  answer('plain text without nosniff and with a tag', 'HTTP/1.1 200 OK\nContent-Type: text/plain; charset=x', PAGE),
  answer('an attachment', `HTTP/1.1 200 OK\nContent-Disposition: attachment\n${HTML}`),
  answer('an archived page', 'HTTP/1.1 200 OK\nContent-Type: multipart/related'),
  answer('a page pushed in parts', 'HTTP/1.1 200 OK\nContent-Type: multipart/x-mixed-replace;boundary=b', parts()),
  answer('an unknown content coding', `HTTP/1.1 200 OK\nContent-Encoding: foo\n${HTML}`),
  answer('a known and an unknown content coding', `HTTP/1.1 200 OK\nContent-Encoding: gzip, foo\n${HTML}`),
  answer(
    'a known and an unknown content coding, coded',
    `HTTP/1.1 200 OK\nContent-Encoding: gzip, foo\n${HTML}`,
    gzip(PAGE),
  ),
  answer('a content coding that was not used', `HTTP/1.1 200 OK\nContent-Encoding: gzip\n${HTML}`),
  answer('br that was not used', `HTTP/1.1 200 OK\nContent-Encoding: br\n${HTML}`),
  answer('deflate that was not used', `HTTP/1.1 200 OK\nContent-Encoding: deflate\n${HTML}`),
  answer('gzip twice', `HTTP/1.1 200 OK\nContent-Encoding: gzip, gzip\n${HTML}`, gzip(gzip(PAGE))),
  answer('gzip in br', `HTTP/1.1 200 OK\nContent-Encoding: gzip, br\n${HTML}`, zlib.brotliCompressSync(gzip(PAGE))),
  answer(
    'gzip named in two header lines',
    `HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Encoding: gzip\n${HTML}`,
    gzip(gzip(PAGE)),
  ),
  answer('gzip six times', `HTTP/1.1 200 OK\nContent-Encoding: ${Array(6).fill('gzip').join(', ')}\n${HTML}`, times(6)),
  answer(
    'gzip eleven times',
    `HTTP/1.1 200 OK\nContent-Encoding: ${Array(11).fill('gzip').join(', ')}\n${HTML}`,
    times(11),
  ),
  answer('x-gzip', `HTTP/1.1 200 OK\nContent-Encoding: x-gzip\n${HTML}`, gzip(PAGE)),
  answer('gzip named with quotes', `HTTP/1.1 200 OK\nContent-Encoding: "gzip"\n${HTML}`, gzip(PAGE)),
  answer(
    'gzip with junk behind it',
    `HTTP/1.1 200 OK\nContent-Encoding: gzip\n${HTML}`,
    Buffer.concat([gzip(PAGE), Buffer.from('junk')]),
  ),
  answer(
    'two gzip members',
    `HTTP/1.1 200 OK\nContent-Encoding: gzip\n${HTML}`,
    Buffer.concat([gzip('<!doctype html>'), gzip(PAGE)]),
  ),
  answer(
    'gzip cut short',
    `HTTP/1.1 200 OK\nContent-Encoding: gzip\n${HTML}`,
    gzip(PAGE + ' '.repeat(99)).subarray(0, -10),
  ),
  answer('raw deflate', `HTTP/1.1 200 OK\nContent-Encoding: deflate\n${HTML}`, zlib.deflateRawSync(PAGE)),
  answer('gzip as transfer coding', `HTTP/1.1 200 OK\nTransfer-Encoding: gzip\n${HTML}`, gzip(PAGE)),
  answer(
    'gzip and chunked as transfer codings',
    `HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n${HTML}`,
    Buffer.concat([chunk(gzip(PAGE)), END]),
  ),
  answer('chunked', `HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n${HTML}`, Buffer.concat([chunk(PAGE), END])),
  answer('chunked without its end', `HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n${HTML}`, chunk(PAGE)),
  answer('chunked, and not coded so', `HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n${HTML}`),
  answer(
    'chunked in capitals',
    `HTTP/1.1 200 OK\nTransfer-Encoding: CHUNKED\n${HTML}`,
    Buffer.concat([chunk(PAGE), END]),
  ),
  answer(
    'chunked twice',
    `HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n${HTML}`,
    Buffer.concat([chunk(PAGE), END]),
  ),
  answer(
    'chunks with lines ended by LF alone',
    `HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n${HTML}`,
    Buffer.from(`${PAGE.length.toString(16)}\n${PAGE}\n0\n\n`),
  ),
  answer(
    'chunks with an extension',
    `HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n${HTML}`,
    Buffer.concat([chunk(PAGE, `${PAGE.length.toString(16)};a=b`), END]),
  ),
  answer(
    'chunk sizes behind spaces',
    `HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n${HTML}`,
    Buffer.concat([chunk(PAGE, `${PAGE.length.toString(16)}  `), END]),
  ),
  answer('an unknown transfer coding', `HTTP/1.1 200 OK\nTransfer-Encoding: foo\n${HTML}`),
  answer('identity as transfer coding', `HTTP/1.1 200 OK\nTransfer-Encoding: identity\n${HTML}`),
  answer(
    'both length and chunked',
    `HTTP/1.1 200 OK\nContent-Length: 5\nTransfer-Encoding: chunked\n${HTML}`,
    Buffer.concat([chunk(PAGE), END]),
  ),
  answer('a length that is too large', `HTTP/1.1 200 OK\nContent-Length: 100000\n${HTML}`),
  answer('a length that is too small', `HTTP/1.1 200 OK\nContent-Length: ${PAGE.length - 5}\n${HTML}`),
  answer('a length of nonsense', `HTTP/1.1 200 OK\nContent-Length: abc\n${HTML}`),
  answer('a negative length', `HTTP/1.1 200 OK\nContent-Length: -1\n${HTML}`),
  answer('a length with a sign', `HTTP/1.1 200 OK\nContent-Length: +${PAGE.length}\n${HTML}`),
  answer(
    'two equal lengths',
    `HTTP/1.1 200 OK\nContent-Length: ${PAGE.length}\nContent-Length: ${PAGE.length}\n${HTML}`,
  ),
  answer('two equal lengths in one line', `HTTP/1.1 200 OK\nContent-Length: ${PAGE.length}, ${PAGE.length}\n${HTML}`),
  answer('two lengths that differ', `HTTP/1.1 200 OK\nContent-Length: ${PAGE.length}\nContent-Length: 5\n${HTML}`),
  answer(
    'early hints before the page',
    `HTTP/1.1 103 Early\nLink: </x>; rel=preload`,
    `HTTP/1.1 200 OK\r\n${HTML}\r\n\r\n${PAGE}`,
  ),
  answer('a status 100 before the page', 'HTTP/1.1 100 Continue', `HTTP/1.1 200 OK\r\n${HTML}\r\n\r\n${PAGE}`),
  answer('a header of 100 KiB', `HTTP/1.1 200 OK\nX-A: ${'a'.repeat(100 * 1024)}\n${HTML}`),
  answer('a header of 240 KiB', `HTTP/1.1 200 OK\nX-A: ${'a'.repeat(240 * 1024)}\n${HTML}`),
  answer('three thousand header lines', `HTTP/1.1 200 OK\n${'X-A: b\n'.repeat(3000)}${HTML}`),
  answer(
    'a form behind 1.9 MiB of markup',
    `HTTP/1.1 200 OK\n${HTML}`,
    `<!doctype html><!--${' '.repeat(1.9 * 2 ** 20)}-->${PAGE}`,
  ),
  answer(
    'a form behind 2.5 MiB of a comment',
    `HTTP/1.1 200 OK\n${HTML}`,
    `<!doctype html><!--${' '.repeat(2.5 * 2 ** 20)}-->${PAGE}`,
  ),
  answer(
    'a form behind 2.5 MiB of hidden text',
    `HTTP/1.1 200 OK\n${HTML}`,
    `<!doctype html><p hidden>${'x '.repeat(1.25 * 2 ** 20)}</p>${PAGE}`,
  ),
  answer(
    'a form behind 2.5 MiB of script',
    `HTTP/1.1 200 OK\n${HTML}`,
    `<!doctype html><script>//${'x '.repeat(1.25 * 2 ** 20)}</script>${PAGE}`,
  ),
  answer(
    'a page in UTF-16',
    'HTTP/1.1 200 OK\nContent-Type: text/html; charset=utf-16le',
    Buffer.from(PAGE, 'utf16le'),
  ),
  answer('a page in UTF-16 by its mark alone', `HTTP/1.1 200 OK\n${HTML}`, Buffer.from(`\ufeff${PAGE}`, 'utf16le')),
  answer(
    'a page in UTF-7',
    'HTTP/1.1 200 OK\nContent-Type: text/html; charset=utf-7',
    '+ADw-form+AD4APA-input type+AD0-password+AD4-',
  ),
  answer('a page in an unknown charset', 'HTTP/1.1 200 OK\nContent-Type: text/html; charset=nonsense'),
  answer('a refresh to itself', `HTTP/1.1 200 OK\nRefresh: 5\n${HTML}`),
  answer('a strict transport header', `HTTP/1.1 200 OK\nStrict-Transport-Security: max-age=1\n${HTML}`),
  answer('NULs between the letters of tags', `HTTP/1.1 200 OK\n${HTML}`, `\0${PAGE.replaceAll('<', '<\0')}${PAGE}`),
];

function xhtml(): string {
  return `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Sign in</title></head><body>
<form method="post" action="/take"><input type="password" name="pass"/></form></body></html>`;
}

function svg(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject width="99" height="99">
<form xmlns="http://www.w3.org/1999/xhtml" action="/take"><input type="password" name="pass"/></form></foreignObject></svg>`;
}

function parts(): string {
  return `--b\r\nContent-Type: text/html\r\n\r\n${PAGE}\r\n--b--\r\n`;
}

function times(count: number): Buffer {
  let coded: Buffer = Buffer.from(PAGE);
  for (let i = 0; i < count; i++) coded = gzip(coded);
  return coded;
}
