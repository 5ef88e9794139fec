import { expect, test } from 'bun:test';
import { packPage, unpackPage } from '#src/engine/pages/page-task.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { withIcon } from '#src/network/probes/run.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';
import { serveScript } from '#test/network/egress/script-server.ts';
import { targetOf } from '#test/support/target.ts';

const ICON = Buffer.from('the bytes of an icon');
const LOGIN = '<form action=/in method=post><input name=u><input type=password name=p></form>';

const answer = (body: Uint8Array, status = '200 OK') =>
  Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n`), body]);

/** Returns the file that was read as the icon of a page, and the requests for it with their headers. */
async function iconOf(html: string, respond = () => answer(ICON), cookies = 'a=b') {
  const heads: string[] = [];
  await using server = await serveScript((path, head) => {
    heads.push(`${path}\n${head}`);
    return respond();
  });
  await using egress = openLoopback([server.port]);
  const url = `http://127.0.0.1:${server.port}/sign/in`;
  const read = readPage(Buffer.from(html), { contentType: 'text/html; charset=utf-8', url });
  const document = unpackPage(packPage(read));
  const visit = visitOf(targetOf(url), { contentLength: html.length, document, headers: { 'set-cookie': cookies } });
  const files: string[] = [];
  const readIcon = async (file: Uint8Array) => {
    files.push(Buffer.from(file).toString());
    return { sha256: 'ab', shape: null };
  };
  const seen = await withIcon(visit, readIcon, { egressClient: egress.client() }, new AbortController().signal);
  return { file: files.join() || null, icon: seen.icon, heads, paths: heads.map((head) => head.split('\n')[0]) };
}

test.each([
  ['the first icon that can be decoded', '<link rel=icon href=a.svg><link rel="shortcut icon" href=/b.png>', '/b.png'],
  ['an icon of the only kind', '<link rel=icon href=a.svg>', '/sign/a.svg'],
  ['the usual place', '', '/favicon.ico'],
])('a page that asks for secrets is asked once for its icon: %s', async (_, head, path) => {
  const { file, icon, paths, heads } = await iconOf(head + LOGIN);
  expect({ file, paths }).toEqual({ file: ICON.toString(), paths: [path] });
  expect(icon).toEqual({ sha256: 'ab', shape: null });
  expect(heads[0]).not.toMatch(/cookie/i);
  expect(heads[0]).toMatch(/accept: image\/avif/i);
});

test('an icon in the page itself costs no request, and is in no record', async () => {
  const head = `<link rel=icon href="data:image/png;base64,${ICON.toString('base64')}">`;
  expect(await iconOf(head + LOGIN)).toMatchObject({ file: ICON.toString(), paths: [] });
  const document = readPage(Buffer.from(head), { contentType: 'text/html', url: 'http://x.test/' });
  expect(document.iconData).toStartWith('data:image/png');
  expect(JSON.stringify(document)).not.toContain(ICON.toString('base64'));
});

test.each([
  ['asks for nothing', '<link rel=icon href=/b.png><form><input name=q></form>', undefined],
  ['asks for an address alone', '<form><input type=email name=mail><button>Subscribe</button></form>', undefined],
])('a page that %s is not asked', async (_, html) => {
  expect(await iconOf(html)).toMatchObject({ file: null, paths: [] });
});

test.each([
  ['is not there', () => answer(ICON, '404 Not Found')],
  ['is elsewhere', () => answer(ICON, '302 Found')],
  ['is empty', () => answer(new Uint8Array())],
  ['is too large', () => answer(new Uint8Array(200_000))],
  ['is no answer', () => Buffer.from('nonsense\r\n\r\n')],
])('the visit is unchanged if the icon %s', async (_, respond) => {
  const { file, icon, paths } = await iconOf(LOGIN, respond);
  expect({ file, icon, requests: paths.length }).toEqual({ file: null, icon: undefined, requests: 1 });
});

test('an address that the policy refuses is not asked', async () => {
  const { file, paths } = await iconOf(`<link rel=icon href=http://169.254.169.254/i.png>${LOGIN}`);
  expect({ file, paths }).toEqual({ file: null, paths: [] });
});
