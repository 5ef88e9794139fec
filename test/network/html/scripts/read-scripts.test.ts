import { describe, expect, test } from 'bun:test';
import { readPage } from '#src/network/html/read-page.ts';
import { EXIT, HONEST_SCRIPTS, MOVING_PAGES, MOVING_SCRIPTS, WRITING_SCRIPTS } from './script-tricks.ts';

const url = 'https://page.example/dir/index.html';

function read(html: string, scripts?: ReadonlyMap<string, string>) {
  return readPage(new TextEncoder().encode(html), {
    contentType: 'text/html; charset=utf-8',
    url,
    ...(scripts && { scripts }),
  });
}

const inScript = (code: string) => read(`<p>One moment, please.</p><script>${code}</script>`);

describe('a script that leads on by itself', () => {
  test.each([...MOVING_SCRIPTS])('%s', (code) => {
    const { exits, forms } = inScript(code);
    const away = exits.filter((exit) => new URL(exit.url).host !== new URL(url).host);
    expect(away.map((exit) => [exit.how === 'link', exit.url])).toEqual([[false, EXIT]]);
    expect(forms.filter(({ fields }) => fields.length > 0)).toEqual([]);
  });

  test.each([...MOVING_PAGES])('%s', (html) => {
    expect(read(`<p>One moment, please.</p>${html}`).exits).toEqual([{ how: 'script', url: EXIT }]);
  });
});

describe('a script that writes a form', () => {
  test.each([...WRITING_SCRIPTS])('%s', (code) => {
    const { forms } = inScript(code);
    const found = forms.map(({ action, fields }) => [action, fields.map(({ kind }) => kind)]);
    expect(found).toEqual([['https://evil.example/p.php', ['password']]]);
  });

  test('is marked as encoded only if it decodes the form', () => {
    const marksOf = (code: string) => inScript(code).scripts.marks;
    expect(marksOf(`x.innerHTML="<form></form>"`)).toEqual([]);
    expect(marksOf(`x.innerHTML=atob("${btoa('<form></form>')}")`)).toEqual(['encoded_markup']);
  });
});

test.each([...HONEST_SCRIPTS])('an honest script gives nothing: %s', (code) => {
  const { exits, forms, frames, links, visibleText, scripts } = inScript(code);
  const ways = exits.filter(({ how }) => how !== 'link');
  expect([ways, forms, frames, links, visibleText]).toEqual([[], [], [], [], 'One moment, please.']);
  expect(scripts.marks).not.toContain('encoded_markup');
  expect(scripts.movesAway).toBeFalse();
});

describe('the click of a visitor', () => {
  test.each([
    `<button onclick="go()">Open</button><script>function go(){location.href="${EXIT}"}</script>`,
    `<button id=b>Open</button><script>b.addEventListener("click",()=>{location.assign("${EXIT}")})</script>`,
    `<button id=b>Open</button><script>$("#b").on("click",function(){window.open("${EXIT}")})</script>`,
    `<a href="javascript:go()">Open</a><script>var go=()=>{location="${EXIT}"}</script>`,
  ])('leads on: %s', (html) => {
    expect(read(`<p>Invoice 17</p>${html}`).exits).toEqual([{ how: 'link', url: EXIT }]);
  });
});

describe('what a script does in unknown ways is stated', () => {
  test.each([
    ['location=next', { movesAway: true, writesUnknown: false }],
    ['fetch("/t").then(r=>r.json()).then(j=>{location=j.u})', { movesAway: true, writesUnknown: false }],
    ['b.onclick=()=>{location=next}', { movesAway: false, writesUnknown: false }],
    ['fetch("/t").then(r=>r.text()).then(t=>{x.innerHTML=t})', { movesAway: false, writesUnknown: true }],
    ['x.innerHTML="<h1>"+name+"<\\/h1>"', { movesAway: false, writesUnknown: true }],
    ['eval(key(text))', { movesAway: false, writesUnknown: true }],
    ['document[name(3)](text)', { movesAway: false, writesUnknown: true }],
    ['const h=document.createElement(tag);x.append(h)', { movesAway: false, writesUnknown: true }],
    ['track("page")', { movesAway: false, writesUnknown: false }],
  ])('%s', (code, expected) => {
    expect(inScript(code).scripts).toMatchObject(expected);
  });

  test('by the number of script files', () => {
    const html = `<script src=/a.js></script><script type=module>import "./b.js"</script>
      <script>const s=document.createElement("script");s.src="/c.js";document.head.append(s)</script>
      <script type="application/json" src=/d.json></script><script src="data:text/javascript,1"></script>`;
    expect(read(html).scripts.externalCount).toBe(4);
  });
});

test('a script file whose text is given is read at its place', () => {
  const html =
    '<p>Wait</p><script>var host="https://evil.example"</script><script src="../app.js"></script><script src=/b.js></script>';
  const files = new Map([['https://page.example/app.js', 'location = host + "/login"']]);
  const { exits, scripts } = read(html, files);
  expect([exits, scripts.externalCount, scripts.inlineCount]).toEqual([[{ how: 'script', url: EXIT }], 2, 1]);
});
