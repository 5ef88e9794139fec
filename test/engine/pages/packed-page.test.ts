import { expect, test } from 'bun:test';
import { packPage, unpackPage } from '#src/engine/pages/page-task.ts';
import { readPage } from '#src/network/html/read-page.ts';

const html = `<title>Hi</title><base href=/x/><h1>PayPal</h1><form action=in?${'a'.repeat(9000)}><input type=password>
  ${`<button formaction="?${'b'.repeat(3000)}">go</button>`.repeat(600)}</form><a href=/a>a</a><img src=b.png>
  <meta http-equiv=refresh content=5><p>\ud800 \u{1f600}`;
const document = readPage(new TextEncoder().encode(html), { contentType: 'text/html', url: 'https://a.example/' });

test('packing and unpacking a page preserves every byte', () => {
  expect(JSON.stringify(unpackPage(packPage(document)))).toBe(JSON.stringify(document));
});

test('the eager members of a page are bounded, even with very long button addresses', () => {
  const { eager } = packPage(document);
  expect(JSON.stringify(eager).length).toBeLessThan(64 * 1024);
  expect(document.limits).toContain('items');
  const [form] = document.forms;
  const addresses = [form?.action, form?.actionAttribute, ...(form?.buttonActions ?? [])];
  expect(addresses).toHaveLength(52);
  for (const address of addresses) expect(address?.length).toBeLessThanOrEqual(1024);
});

test('cookies of scripts arrive, and are in no text of the page', () => {
  const setting = new TextEncoder().encode('<script>document.cookie="seen=1";location.reload()</script>');
  const page = unpackPage(packPage(readPage(setting, { contentType: 'text/html', url: 'https://a.example/' })));
  expect(page.cookies).toEqual(['seen=1']);
  expect(JSON.stringify(page)).toContain('"reloads":true');
  expect(JSON.stringify({ ...page })).not.toContain('"seen=1"');
});
