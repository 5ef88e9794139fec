import { literal, pageOf, ROOT, type Tricks, typed } from './trick.ts';

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
/** In ISO-2022-JP two ideographs; for who reads single bytes, a comment begins. */
const HIDING = '\x1b$B<!--\x1b(B';
/** A document whose charset is declared in its head. */
const inHead = (head: string, body: string) =>
  latin1(`<!doctype html><html><head>${head}</head><body>${HIDING}${body}</body></html>`);
/** Markup in a script, behind a two-byte character whose second byte is a backslash. */
const behindBackslash = (charset: string, lead: string, body: string) =>
  latin1(
    `<!doctype html><meta charset=${charset}><title>Welcome</title><div id="root"></div><script>var a="${lead}\\";${ROOT}.innerHTML=${literal(body)};//"</script>`,
  );
/** A quote that is the second byte of a character. */
const FAR = 'x'.repeat(1100);

/** Bytes that Chromium decodes otherwise than who reads the first of them. */
export const CHARSETS: Tricks = {
  'Japanese, declared behind a long comment': ({ body }) => ({
    '/': typed('text/html', inHead(`<!-- ${FAR} --><meta charset="iso-2022-jp"><title>Account</title>`, body)),
  }),
  'Japanese, declared behind a style': ({ body }) => ({
    '/': typed('text/html', inHead(`<style>/*${FAR}*/</style><meta charset=iso-2022-jp>`, body)),
  }),
  'Japanese, declared behind a script': ({ body }) => ({
    '/': typed('text/html', inHead(`<script>/*${FAR}*/</script><meta charset="ISO-2022-JP"/>`, body)),
  }),
  'Japanese, declared behind many links': ({ body }) => ({
    '/': typed('text/html', inHead(`${'<link rel="x" href="/y">'.repeat(60)}<meta charset=csiso2022jp>`, body)),
  }),
  'Japanese, declared as a type behind a title': ({ body }) => ({
    '/': typed(
      'text/html',
      inHead(`<title>${FAR}</title><meta http-equiv="Content-Type" content="text/html; charset=iso-2022-jp">`, body),
    ),
  }),
  'Japanese, the content before the name': ({ body }) => ({
    '/': typed(
      'text/html',
      inHead('<meta content=\'text/html;charset = "iso-2022-jp"\' http-equiv=CONTENT-TYPE>', body),
    ),
  }),
  'Japanese, declared as XML before HTML': ({ body }) => ({
    '/': typed(
      'text/html',
      latin1(`<?xml version="1.0" encoding="iso-2022-jp" ?><html><body>${HIDING}${body}</body></html>`),
    ),
  }),
  'Japanese, by the header': ({ body }) => ({
    '/': typed('text/html; charset="ISO-2022-JP"', inHead('<meta charset=utf-8>', body)),
  }),
  'Japanese, within the first bytes': ({ body }) => ({
    '/': typed('text/html', inHead('<meta charset=iso-2022-jp>', body)),
  }),
  'Japanese, and no declaration': ({ body }) => ({
    '/': typed('text/html', inHead(`<title>${'あいうえお'.length}</title>`, `${HIDING.repeat(3)}${body}`)),
  }),
  'Shift JIS, a backslash within a character': ({ body }) => ({
    '/': typed('text/html', behindBackslash('shift_jis', '\x83', body)),
  }),
  'GBK, a backslash within a character': ({ body }) => ({
    '/': typed('text/html', behindBackslash('gbk', '\x81', body)),
  }),
  'Big5, a backslash within a character, by the header': ({ body }) => ({
    '/': typed('text/html; charset=big5', behindBackslash('utf-8', '\xa5', body)),
  }),
  'two bytes per character, the mark alone': ({ page }) => ({
    '/': typed('text/html', new Uint8Array(Buffer.from(`\ufeff${page}`, 'utf16le'))),
  }),
  'two bytes per character, the other order': ({ page }) => ({
    '/': typed('text/html', new Uint8Array(Buffer.from(`\ufeff${page}`, 'utf16le').swap16())),
  }),
  'two bytes per character, by the header': ({ page }) => ({
    '/': typed('text/html;charset=utf-16le', new Uint8Array(Buffer.from(page, 'utf16le'))),
  }),
  'mark of UTF-8 against the header': ({ page }) => ({
    '/': typed('text/html; charset=utf-16be', new Uint8Array(Buffer.from(`\ufeff${page}`))),
  }),
  'two charsets in one header': ({ page }) => ({
    '/': typed('text/html; charset=x-none; charset=utf-16le', page),
  }),
  'user-defined charset': ({ page }) => ({ '/': typed('text/html; charset=x-user-defined', page) }),
  'charset that is none': ({ body, title }) => ({
    '/': typed('text/html; charset=nonsense', pageOf(title, body).replace('utf-8', 'windows-874')),
  }),
};
