import { drawn, HONEST_TEXT, literal, pageOf, ROOT, type SiteRequest, type Tricks } from './trick.ts';

const HONEST = pageOf('Riverside choir', HONEST_TEXT);
const has = (cookie: string) => (request: SiteRequest) => request.cookie.includes(cookie);

/** Shows the page to requests that pass, and an honest one to all others. */
const onlyFor =
  (passes: (request: SiteRequest) => boolean): Tricks[string] =>
  ({ page }) => ({ '/': (request) => (passes(request) ? page : HONEST) });

/** Shows the page to who comes back with a cookie, and another answer to who has none. */
const withCookie =
  (first: Exclude<ReturnType<Tricks[string]>[string], (request: SiteRequest) => unknown>): Tricks[string] =>
  ({ page }) => ({ '/': (request) => (has('k=1')(request) ? page : first) });

/** Gates that ask for what every browser brings along. */
export const COOKIES_AND_CLOAKS: Tricks = {
  'redirect to itself with a cookie': withCookie({
    status: '302 Found',
    headers: { Location: '/', 'Set-Cookie': 'k=1; Path=/; HttpOnly' },
  }),
  'redirect to itself with three cookies': withCookie({
    status: '307 Temporary Redirect',
    headers: { Location: '/', 'Set-Cookie': ['PHPSESSID=5f; path=/', 'k=1; Max-Age=600', 'lang=en'] },
  }),
  'refresh to itself with a cookie': withCookie({
    headers: { 'Set-Cookie': 'k=1' },
    body: pageOf('One moment', '<p>One moment</p>', '<meta http-equiv="refresh" content="1">'),
  }),
  'refused at first, with a cookie and a refresh': withCookie({
    status: '403 Forbidden',
    headers: { 'Set-Cookie': 'k=1; SameSite=Lax', Refresh: '1' },
    body: '<h1>Checking your browser</h1>',
  }),
  'cookie, then a reload by script': withCookie({
    headers: { 'Set-Cookie': 'k=1' },
    body: drawn('location.reload()'),
  }),
  'cookie, then the same address by script': withCookie({
    headers: { 'Set-Cookie': 'k=1' },
    body: drawn('location.href="/"'),
  }),
  'too many requests at first, then a reload': withCookie({
    status: '429 Too Many Requests',
    headers: { 'Set-Cookie': 'k=1' },
    body: drawn('setTimeout(()=>location.reload(),500)'),
  }),
  'cookie of a folder': ({ page }) => ({
    '/': { status: '302 Found', headers: { Location: '/secure/in', 'Set-Cookie': 'k=1; path=/secure' } },
    '/secure/in': (request) => (has('k=1')(request) ? page : HONEST),
  }),
  'cookie for the page behind a redirect': ({ page }) => ({
    '/': { status: '302 Found', headers: { Location: '/in', 'Set-Cookie': 'k=1; path=/' } },
    '/in': (request) => (has('k=1')(request) ? page : HONEST),
  }),
  'cookie by script, then a reload': withCookie(drawn('document.cookie="k=1;path=/";location.reload()')),
  'cookie by script, then the same address': withCookie(
    drawn('document.cookie=["k","1"].join("=");location.href=location.href'),
  ),
  'cookie by script, then another page': ({ page }) => ({
    '/': drawn('document.cookie="k=1";window.location.replace("/in")'),
    '/in': (request) => (has('k=1')(request) ? page : HONEST),
  }),
  'challenge of a sum': ({ page }) => ({
    '/': ({ query }) => (query === 't=391' ? page : drawn('var a=17,b=23;location.search="?t="+(a*b)')),
  }),
  'types of images accepted': onlyFor(({ head }) => /accept:.*image\/(?:avif|webp)/i.test(head)),
  'connection kept': onlyFor(({ head }) => /^connection: keep-alive\r$/im.test(head)),
  'codings over http': onlyFor(({ head }) => /^accept-encoding: gzip, deflate\r$/im.test(head)),
  'order of the headers': onlyFor(({ head }) =>
    /^host:[\s\S]*^connection:[\s\S]*^user-agent:[\s\S]*^accept:[\s\S]*^accept-encoding:/im.test(head),
  ),
  'browser and upgrade': onlyFor(({ head }) => /chrome\//i.test(head) && /^upgrade-insecure-requests: 1/im.test(head)),
  'own page as the referer': ({ page }) => ({
    '/': '<meta http-equiv="refresh" content="0;url=/in">',
    '/in': ({ head }) => (/^referer: http:\/\/\S+\/\r$/im.test(head) ? page : HONEST),
  }),
};

const BUTTON =
  '<style>html,body,#b{margin:0;width:100%;height:100%}</style><button id="b">Press and hold to go on</button>';

/** Gates that ask for a person, or for time. */
export const CHALLENGES: Tricks = {
  'press and hold, then markup in a literal': ({ body }) => ({
    '/': drawn(
      `let t;b.onpointerdown=()=>{t=setTimeout(()=>{document.body.innerHTML=${literal(body)}},600)};b.onpointerup=()=>clearTimeout(t)`,
      BUTTON,
    ),
  }),
  'press and hold, then a fetched part': ({ body }) => ({
    '/': drawn(
      'b.onmousedown=()=>setTimeout(async()=>{document.body.innerHTML=await (await fetch("/part")).text()},500)',
      BUTTON,
    ),
    '/part': body,
  }),
  'press, then the page': ({ page }) => ({ '/': drawn('b.onclick=()=>{location.href="/in"}', BUTTON), '/in': page }),
  'movement of the pointer': ({ body }) => ({
    '/': drawn(`addEventListener("mousemove",()=>{${ROOT}.innerHTML=${literal(body)}},{once:true})`),
  }),
  'widget of a challenge, then markup': ({ body }) => ({
    '/': pageOf(
      'Just a moment...',
      `<div class="cf-turnstile" data-sitekey="0x4AAAAAAAB" data-callback="done"></div><script>function done(){document.body.innerHTML=${literal(body)}}setTimeout(done,800)</script>`,
      '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async defer></script>',
    ),
  }),
  'widget of another challenge, then the page': ({ page }) => ({
    '/': pageOf(
      'Security check',
      '<form id="f" action="/in"><div class="h-captcha" data-sitekey="10000000"></div></form><script>setTimeout(()=>f.submit(),700)</script>',
      '<script src="https://js.hcaptcha.com/1/api.js" async></script>',
    ),
    '/in': page,
  }),
  'two seconds of a spinner': ({ body }) => ({
    '/': drawn(
      `setTimeout(()=>{document.body.innerHTML=${literal(body)}},2000)`,
      '<p id="root">Checking your connection</p>',
    ),
  }),
  'storage, then a reload': ({ body }) => ({
    '/': drawn(`if(sessionStorage.s){${ROOT}.innerHTML=${literal(body)}}else{sessionStorage.s=1;location.reload()}`),
  }),
  'name of the window, then a reload': ({ page }) => ({
    '/': drawn('if(window.name==="v"){location.replace("/in")}else{window.name="v";location.reload()}'),
    '/in': page,
  }),
  'language of the browser': ({ body }) => ({
    '/': drawn(
      `if(navigator.language.startsWith("en")){${ROOT}.innerHTML=${literal(body)}}else{location="https://www.wikipedia.org/"}`,
    ),
  }),
};
