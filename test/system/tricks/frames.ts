import { drawn, HONEST_TEXT, literal, pageOf, type Tricks } from './trick.ts';

const FILL = 'position:fixed;top:0;left:0;width:100%;height:100%;border:0';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const quotedAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Documents within documents that are named by an address of a host. */
export const FRAMES_OF_A_SITE: Tricks = {
  'frame over everything': ({ page }) => ({
    '/': pageOf('Welcome', `<iframe src="/secure/index.html" style="${FILL}"></iframe>`),
    '/secure/index.html': page,
  }),
  'frame of the size of the window': ({ page }) => ({
    '/': pageOf('Welcome', '<iframe src="login.php" width="100%" height="900" frameborder="0"></iframe>'),
    '/login.php': page,
  }),
  'frame in units of the window': ({ page }) => ({
    '/': pageOf('Loading', '<iframe src="./v2/" style="width:100vw;height:100vh;border:none"></iframe>'),
    '/v2/': page,
  }),
  'frame by a class of a style element': ({ page }) => ({
    '/': pageOf('Welcome', '<iframe class="w" src="/panel"></iframe>', `<style>.w{${FILL}}</style>`),
    '/panel': page,
  }),
  'frame by a style sheet': ({ page }) => ({
    '/': pageOf('Welcome', '<iframe id="w" src="/panel"></iframe>', '<link rel="stylesheet" href="/w.css">'),
    '/w.css': { headers: { 'Content-Type': 'text/css' }, body: `#w{${FILL}}` },
    '/panel': page,
  }),
  'frame behind honest words': ({ page }) => ({
    '/': pageOf('Riverside choir', `${HONEST_TEXT}<iframe src="/members" style="${FILL};z-index:9"></iframe>`),
    '/members': page,
  }),
  'frame in a table that fills the window': ({ page }) => ({
    '/': pageOf(
      'Welcome',
      '<table width="100%" height="100%"><tr><td><iframe src="/in" width="100%" height="800"></iframe></table>',
    ),
    '/in': page,
  }),
  'frame that loads late': ({ page }) => ({
    '/': pageOf('Welcome', `<iframe loading="lazy" src="/in" style="${FILL}"></iframe>`),
    '/in': page,
  }),
  'set of frames, one of them empty': ({ page }) => ({
    '/': '<!doctype html><title>Account</title><frameset rows="*,0"><frame src="/main.html"><frame src="/none.html"></frameset>',
    '/main.html': page,
    '/none.html': '',
  }),
  'set of one frame': ({ page }) => ({
    '/': '<html><head><title>Account</title></head><frameset cols="100%"><frame name="m" src="account/"></frameset></html>',
    '/account/': page,
  }),
  object: ({ page }) => ({
    '/': pageOf('Welcome', `<object type="text/html" data="/view.html" style="${FILL}"></object>`),
    '/view.html': page,
  }),
  'embedded document': ({ page }) => ({
    '/': pageOf('Welcome', `<embed type="text/html" src="/view" style="${FILL}">`),
    '/view': page,
  }),
  'frame of another host': ({ page, other }) => ({
    '/': pageOf('Welcome', `<iframe src="http://${other}/start" style="${FILL}"></iframe>`),
    [`//${other}/start`]: page,
  }),
  'set of frames of another host': ({ page, other }) => ({
    '/': `<!doctype html><title>Redirecting</title><frameset rows="100%,*"><frame src="//${other}/"></frameset>`,
    [`//${other}/`]: page,
  }),
  'frame of a part of the window': ({ page }) => ({
    '/': pageOf('Welcome', '<iframe src="/in" style="width:80%;height:85vh"></iframe>'),
    '/in': page,
  }),
  'second of two frames': ({ page }) => ({
    '/': pageOf(
      'Welcome',
      '<iframe src="/menu" width="100%" height="60"></iframe><iframe src="/in" width="100%" height="800"></iframe>',
    ),
    '/menu': pageOf('Menu', HONEST_TEXT),
    '/in': page,
  }),
  'frames within frames, four deep': ({ page }) => ({
    ...Object.fromEntries(
      ['/', '/1', '/2', '/3'].map((path, at) => [path, `<iframe src="/${at + 1}" style="${FILL}"></iframe>`]),
    ),
    '/4': page,
  }),
  'frame that redirects': ({ page }) => ({
    '/': pageOf('Welcome', `<iframe src="/go" style="${FILL}"></iframe>`),
    '/go': { status: '302 Found', headers: { Location: '/in' } },
    '/in': page,
  }),
  'frame that refreshes': ({ page }) => ({
    '/': pageOf('Welcome', `<iframe src="/go" style="${FILL}"></iframe>`),
    '/go': '<meta http-equiv="refresh" content="0;url=/in">',
    '/in': page,
  }),
  'frame in a frame': ({ page }) => ({
    '/': pageOf('Welcome', `<iframe src="/a" style="${FILL}"></iframe>`),
    '/a': pageOf('', `<iframe src="/b" style="${FILL}"></iframe>`),
    '/b': page,
  }),
  'frame in a declared shadow root': ({ page }) => ({
    '/': pageOf(
      'Welcome',
      `<div><template shadowrootmode="closed"><iframe src="/in" style="${FILL}"></iframe></template></div>`,
    ),
    '/in': page,
  }),
  'target of a form that sends itself': ({ page }) => ({
    '/': pageOf(
      'Welcome',
      `<iframe name="w" style="${FILL}"></iframe><form id="f" target="w" action="/in"></form><script>f.submit()</script>`,
    ),
    '/in': page,
  }),
};

/** Documents within documents that need a script, or no address of a host. */
export const FRAMES_OF_OTHER_KINDS: Tricks = {
  'frame made by script': ({ page }) => ({
    '/': drawn(`var f=document.createElement("iframe");f.src="/in";f.style.cssText="${FILL}";document.body.append(f)`),
    '/in': page,
  }),
  'frame whose address is in another attribute': ({ page }) => ({
    '/': drawn(
      'document.querySelectorAll("iframe").forEach((f)=>{f.src=f.dataset.url})',
      `<iframe data-url="/in" style="${FILL}"></iframe>`,
    ),
    '/in': page,
  }),
  'frame led on by its parent': ({ page }) => ({
    '/': drawn('w.location.replace("/in")', `<iframe name="w" style="${FILL}"></iframe>`),
    '/in': page,
  }),
  'frame written into': ({ page }) => ({
    '/': drawn(
      `const d=document.getElementById("w").contentDocument;d.open();d.write(${literal(page)});d.close()`,
      `<iframe id="w" style="${FILL}"></iframe>`,
    ),
  }),
  'frame of a script address': ({ page }) => ({
    '/': pageOf(
      'Welcome',
      `<iframe style="${FILL}" src="javascript:${quotedAttribute(encodeURIComponent(literal(page)))}"></iframe>`,
    ),
  }),
  'frame of a data address': ({ page }) => ({
    '/': pageOf('Welcome', `<iframe style="${FILL}" src="data:text/html,${encodeURIComponent(page)}"></iframe>`),
  }),
  'frame of a data address, base64, of XHTML': ({ body }) => ({
    '/': pageOf(
      'Welcome',
      `<iframe style="${FILL}" src="data:text/html;charset=utf-8;base64,${base64(body)}"></iframe>`,
    ),
  }),
  'object of a data address': ({ page }) => ({
    '/': pageOf('Welcome', `<object style="${FILL}" data="data:text/html;base64,${base64(page)}"></object>`),
  }),
  'source document of a frame': ({ page }) => ({
    '/': pageOf('Welcome', `<iframe style="${FILL}" srcdoc="${quotedAttribute(page)}"></iframe>`),
  }),
  'source document with a frame of the site': ({ page }) => ({
    '/': pageOf(
      'Welcome',
      `<iframe style="${FILL}" srcdoc="${quotedAttribute(`<iframe src="/in" style="${FILL}"></iframe>`)}"></iframe>`,
    ),
    '/in': page,
  }),
};
