import { drawn, HONEST_TEXT, type Kit, pageOf, type Site, type Tricks } from './trick.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const codes = (text: string) => [...text].map((one) => one.charCodeAt(0)).join(',');

/** A page whose script leads to a path of the same site. */
const within =
  (code: string, path = '/inner', before?: string) =>
  ({ page }: Kit): Site => ({ '/': drawn(code, before), [path]: page });

/** A page whose script leads to the second host. */
const away =
  (code: (url: string, kit: Kit) => string, before?: string) =>
  (kit: Kit): Site => ({ '/': drawn(code(`http://${kit.other}/id`, kit), before), [`//${kit.other}/id`]: kit.page });

/** Exits by script to the same site. */
export const SCRIPTS_WITHIN: Tricks = {
  'assigned address': within('location.href = "/inner";'),
  'assigned address of a file': within("window.location='signin.php'", '/signin.php'),
  'replaced, relative': within('document.location.replace("./auth/index.html")', '/auth/index.html'),
  'assigned to the top': within('top.location.assign("inner?id=7");'),
  'path alone': within('location.pathname="/inner"'),
  'full address of the own host': (kit) => ({
    '/': drawn(`self.location.href="http://${kit.host}/inner"`),
    '/inner': kit.page,
  }),
  'own origin and a path': within('location = location.origin + "/inner"'),
  'after a while, function': within('setTimeout(() => { window.location.href = "/inner" }, 900)'),
  'after a while, text': within(`setTimeout("location.href='/inner'", 700)`),
  'after a while, named function': within('function go(){location.replace("/inner")}setTimeout(go,500)'),
  'when loaded, attribute': ({ page }) => ({
    '/': `<!doctype html><title>Loading</title><body onload="location.href='/inner'">${HONEST_TEXT}`,
    '/inner': page,
  }),
  'when loaded, handler': within('window.onload=function(){location.assign("/inner")}'),
  'when loaded, listener': within('window.addEventListener("load",()=>window.location="/inner")'),
  'when the document is ready': within('document.addEventListener("DOMContentLoaded",()=>{location.href="/inner"})'),
  'form that sends itself': within(
    'document.forms[0].submit()',
    '/inner',
    '<form action="/inner"><input name="a" value="1"></form>',
  ),
  'form that asks to be sent': within(
    'document.getElementById("f").requestSubmit()',
    '/inner',
    '<form id="f" action="inner"></form>',
  ),
  'button that is clicked': within(
    'document.querySelector("button").click()',
    '/inner',
    '<form action="/inner"><button>Go</button></form>',
  ),
  'form made and posted': within(
    'const f=document.createElement("form");f.method="POST";f.action="/inner";document.body.append(f);f.submit()',
  ),
  'link that is clicked': within(
    'document.getElementById("l").click()',
    '/inner',
    '<a id="l" href="/inner">Continue</a>',
  ),
  'opened in the same window': within('window.open("/inner","_self")'),
  'amid honest words': within('location.href="/inner"', '/inner', HONEST_TEXT.repeat(4)),
  "by the site's own script": ({ page }) => ({
    '/': pageOf('Loading', '<p>Loading</p>', '<script src="/js/boot.js"></script>'),
    '/js/boot.js': { headers: { 'Content-Type': 'text/javascript' }, body: 'window.location.replace("/inner")' },
    '/inner': page,
  }),
  'address changed, then a reload': within('history.pushState({},"","/inner");location.reload()'),
  'form sent by its name': within(
    'document.f.submit()',
    '/inner',
    '<form name="f" action="/inner"><input type="hidden" name="s" value="1"></form>',
  ),
  'by a method of the view': within('document.defaultView.location.assign("/inner")'),
  'by a method that is called later': within('const go=location.replace.bind(location);go("/inner")'),
  'with a number that nobody knows': within('location.href="/inner?"+Math.random()'),
  'with what the link holds': within('location.href="/inner?e="+encodeURIComponent(location.hash.slice(1))'),
  'only for browsers': within(
    'if(screen.width>0&&!/bot|crawl/i.test(navigator.userAgent)){location.replace("/inner")}else{location.replace("https://www.wikipedia.org/")}',
  ),
  'two steps': ({ page }) => ({
    '/': drawn('location.href="/step2"'),
    '/step2': drawn('location.href="/inner"'),
    '/inner': page,
  }),
};

/** Exits by script to another host, in the ways of writing that are seen in kits. */
export const SCRIPTS_AWAY: Tricks = {
  'properties in brackets': away((url) => `window["lo"+"cation"]["re"+"place"]("${url}")`),
  'properties in escapes': away((url) => `window["\\x6c\\x6f\\x63\\x61\\x74\\x69\\x6f\\x6e"]["\\u0068ref"]="${url}"`),
  'alias of the location': away((url) => `var l=document.location;l.href="${url}"`),
  'alias of the window': away((url) => `const w=self;w.location.assign("${url}")`),
  'taken apart': away((url) => `const {location:here}=window;here.href="${url}"`),
  'optional members': away((url) => `window?.location?.replace?.("${url}")`),
  base64: away((url) => `location.href=atob("${base64(url)}")`),
  'base64 of pieces': away(
    (url) => `const p=["${base64(url).slice(0, 9)}","${base64(url).slice(9)}"];location=atob(p[0]+p[1])`,
  ),
  'numbers of characters': away((url) => `location.href=String.fromCharCode(${codes(url)})`),
  'array, joined': away((url) => `location.replace(${JSON.stringify(url.match(/.{1,4}/g))}.join(""))`),
  reversed: away((url) => `location="${[...url].reverse().join('')}".split("").reverse().join("")`),
  'placeholder replaced': away((url) => `location.href="${url.replace('://', '#')}".replace("#","://")`),
  'pieces of constants': away((_, { other }) => `const h="${other}";const p="id";location.href="http:"+"//"+h+"/"+p`),
  'template of constants': away((_, { other }) => `let host="${other}";location.href=\`http://$${'{host}'}/id\``),
  'address object': away((_, { other }) => `location.href=new URL("/id","http://${other}").href`),
  'members of an object': away((url) => `const c={next:"${url}"};location.href=c.next`),
  'attribute of data': (kit) => ({
    '/': drawn('location=root.dataset.to', `<div id="root" data-to="http://${kit.other}/id"></div>`),
    [`//${kit.other}/id`]: kit.page,
  }),
  'refresh made by script': away(
    (url) =>
      `const m=document.createElement("meta");m.httpEquiv="refresh";m.content="0;url=${url}";document.head.append(m)`,
  ),
  'refresh written by script': away((url) => `document.write('<meta http-equiv="refresh" content="0;url=${url}">')`),
  'navigation of the new kind': away((url) => `navigation.navigate("${url}")`),
  'link made and clicked': away((url) => `const a=document.createElement("a");a.href="${url}";a.click()`),
  'function called at once': away((url) => `!function(w,u){w.location=u}(window,"${url}")`),
  'evaluated text': away((url) => `eval("location.href='${url}'")`),
  'chosen by a condition': away((url) => `location.href=navigator.cookieEnabled?"${url}":"https://www.wikipedia.org/"`),
  'caught error': away((url) => `try{undefined.x}catch(e){location.href="${url}"}`),
  'address from an answer': (kit) => ({
    '/': drawn('fetch("/next.json").then((r)=>r.json()).then((j)=>{location.href=j.url})'),
    '/next.json': {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: `http://${kit.other}/id` }),
    },
    [`//${kit.other}/id`]: kit.page,
  }),
  'set by reflection': away((url) => `Reflect.set(location,"href","${url}")`),
  'data address of a script': (kit) => ({
    '/': pageOf(
      'Wait',
      `<script src="data:text/javascript;base64,${base64(`location.href="http://${kit.other}/id"`)}"></script>`,
    ),
    [`//${kit.other}/id`]: kit.page,
  }),
  'failing image': (kit) => ({
    '/': pageOf('Wait', `<img src="x:" onerror="location.href='http://${kit.other}/id'">`),
    [`//${kit.other}/id`]: kit.page,
  }),
};
