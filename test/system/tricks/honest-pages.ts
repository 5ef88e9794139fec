import { links, paragraphs } from './honest-words.ts';
import { kitOf, pageOf, type Site } from './trick.ts';

/** An ordinary page that is not phishing. */
export interface HonestPage {
  readonly name: string;
  readonly host: string;
  readonly site: Site;
  /** True if it shows nothing without its script. */
  readonly isEmptyShell: boolean;
}

const NAV = `<header><nav><ul>${links('Home', 'News', 'About us', 'Contact')}</ul></nav></header>`;
const FOOTER = `<footer><p>Registered charity. All rights reserved.</p><ul>${links('Privacy', 'Imprint')}</ul></footer>`;
const ANALYTICS =
  '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script><script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag("js",new Date());gtag("config","G-1");</script>';
const AD =
  '<iframe src="https://ads.example-network.com/slot?w=300&h=250" width="300" height="250" title="Advertisement"></iframe>';
const around = (body: string) => `${NAV}<main>${body}</main>${FOOTER}`;
const chunk = (name: string) => `<script defer="defer" src="/static/js/${name}.js"></script>`;
const jsonLd = (type: string) =>
  `<script type="application/ld+json">{"@context":"https://schema.org","@type":"${type}","name":"Mill Lane","description":"${'Open all year. '.repeat(12)}"}</script>`;
const login = (more = '') =>
  `<form action="/session" method="post"><label>Email <input type="email" name="email"></label><label>Password <input type="password" name="password"></label><button>Sign in</button>${more}</form>`;
const fields = '<label>Name <input name="name"></label><label>Email <input type="email" name="email"></label>';

/** Pages whose words are in the document. */
const WITH_CONTENT: Readonly<Record<string, string>> = {
  'plain page': pageOf('Mill Lane Pottery', around(`<h1>Mill Lane Pottery</h1>${paragraphs(4)}`)),
  blog: pageOf(
    'Notes from the garden',
    around(`<article><h1>Pruning in February</h1>${paragraphs(9, 2)}</article>`),
    ANALYTICS,
  ),
  'blog with comments by another service': pageOf(
    'Notes from the garden',
    `${around(`<article><h1>Seeds</h1>${paragraphs(6, 5)}</article><div id="disqus_thread"></div>`)}<script>(function(){var d=document,s=d.createElement("script");s.src="https://garden.disqus.com/embed.js";(d.head||d.body).appendChild(s)})();</script>`,
  ),
  shop: pageOf(
    'Honey and candles',
    around(
      `<h1>Honey</h1>${Array.from({ length: 8 }, (_, at) => `<div class="product"><img src="/p${at}.jpg" alt="Jar of honey"><h2>Jar ${at + 1}</h2><p>£${at + 4}.50</p><form method="post" action="/cart"><input type="hidden" name="id" value="${at}"><button>Add to basket</button></form></div>`).join('')}`,
    ),
    `${ANALYTICS}<script src="https://js.stripe.com/v3/"></script>`,
  ),
  'login of an own site': pageOf('Rowing club: members', around(`<h1>Members</h1>${paragraphs(1)}${login()}`)),
  'login alone': pageOf(
    'Sign in - Choir archive',
    `<main><h1>Choir archive</h1>${login('<a href="/forgot">Forgot password?</a>')}</main>`,
  ),
  'login drawn over a script-heavy head': pageOf(
    'Rowing club',
    `<h1>Rowing club</h1>${login()}${chunk('vendor')}${chunk('main')}`,
    ANALYTICS,
  ),
  WordPress: pageOf(
    'Village hall',
    `<div id="page" class="site">${around(`<article class="post">${paragraphs(5, 1)}</article>`)}</div><script src="/wp-includes/js/jquery/jquery.min.js?ver=3.7.1"></script><script>var wpcf7={"api":{"root":"\\/wp-json\\/"}};window._wpemojiSettings={"baseUrl":"https:\\/\\/s.w.org\\/images\\/core\\/emoji\\/"};</script>`,
    '<meta name="generator" content="WordPress 6.6"><link rel="stylesheet" href="/wp-content/themes/a/style.css">',
  ),
  'documentation with a script-heavy head': pageOf(
    'Configuration - docs',
    `<div class="sidebar"><ul>${links('Install', 'Configure', 'Upgrade', 'Commands')}</ul></div><main><h1>Configuration</h1>${paragraphs(7, 3)}<pre><code>location.href = "/example"; document.write("&lt;b&gt;")</code></pre></main>`,
    `<script>(function(){var t=localStorage.getItem("theme");document.documentElement.dataset.theme=t||"light"})()</script>${chunk('prism')}${chunk('search')}${ANALYTICS}`,
  ),
  'cookie banner': pageOf(
    'Swimming lessons',
    `${around(paragraphs(5, 6))}<div id="cookies" style="position:fixed;bottom:0">We use cookies. <button onclick="document.cookie='ok=1';this.parentNode.remove()">Accept</button></div>`,
    '<script src="https://cdn.cookielaw.org/scripttemplates/otSDKStub.js"></script>',
  ),
  'film in a frame': pageOf(
    'Our film',
    around(
      `<h1>Our film</h1><iframe width="560" height="315" src="https://www.youtube.com/embed/abc" allowfullscreen></iframe>${paragraphs(3)}`,
    ),
  ),
  'film over the whole width': pageOf(
    'Concert',
    around(
      `<div style="position:relative;padding-top:56%"><iframe src="https://player.vimeo.com/video/1" style="position:absolute;width:100%;height:100%"></iframe></div>${paragraphs(4, 5)}`,
    ),
  ),
  'map in a frame': pageOf(
    'Find us',
    around(
      `<h1>Find us</h1>${paragraphs(2)}<iframe src="https://www.google.com/maps/embed?pb=1" width="600" height="450" style="border:0" loading="lazy"></iframe>`,
    ),
  ),
  'advertisements in frames': pageOf(
    'Local news',
    around(`<h1>Council votes on the bridge</h1>${paragraphs(3)}${AD}${paragraphs(3, 4)}${AD}`),
    ANALYTICS,
  ),
  'tag manager in a frame': pageOf(
    'Dentist',
    `<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-1" height="0" width="0" style="display:none;visibility:hidden"></iframe></noscript>${around(paragraphs(4, 7))}`,
  ),
  'structured data': pageOf(
    'Bakery',
    around(`<h1>Bakery</h1>${paragraphs(3, 1)}`),
    jsonLd('Bakery') + jsonLd('LocalBusiness'),
  ),
  'rendered on the server, with its state': pageOf(
    'Museum',
    `<div id="__next">${around(`<h1>Museum</h1>${paragraphs(5, 9)}`)}</div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"html":"<p>Open daily</p>"}},"page":"/"}</script>${chunk('framework')}${chunk('_app')}`,
  ),
  'rendered on the server, with modules': pageOf(
    'Festival',
    `<div id="app" data-server-rendered="true">${around(paragraphs(6, 4))}</div><script type="module" src="/_nuxt/entry.js"></script><script>window.__NUXT__={data:[{title:"Festival"}]}</script>`,
  ),
  'search form': pageOf(
    'Library catalogue',
    around(
      `<h1>Catalogue</h1><form action="/search"><input name="q" type="search"><button>Search</button></form>${paragraphs(2, 8)}`,
    ),
  ),
  'contact form': pageOf(
    'Contact',
    around(
      `<h1>Contact</h1>${paragraphs(1, 3)}<form method="post" action="/contact">${fields}<textarea name="text"></textarea><button>Send</button></form>`,
    ),
    '<script src="https://www.google.com/recaptcha/api.js" async defer></script>',
  ),
  'newsletter of another service': pageOf(
    'Newsletter',
    around(
      `${paragraphs(3, 2)}<form method="post" action="https://choir.us1.list-manage.com/subscribe/post">${fields}<button>Subscribe</button></form>`,
    ),
  ),
  'gallery that loads late': pageOf(
    'Gallery',
    around(
      `<h1>Gallery</h1>${Array.from({ length: 20 }, (_, at) => `<figure><img loading="lazy" data-src="/g${at}.jpg" alt=""><figcaption>Boat race, heat ${at + 1}, on the upper river</figcaption></figure>`).join('')}${chunk('lazy')}`,
    ),
  ),
  'slider of jQuery': pageOf(
    'Hotel',
    `${around(`<div class="slick"><div>Sea view</div><div>Garden</div></div>${paragraphs(4, 1)}`)}<script src="https://code.jquery.com/jquery-3.7.1.min.js"></script><script>$(function(){$(".slick").html("<div>Rooms from £80</div>").slick()})</script>`,
  ),
  'table of results': pageOf(
    'Results',
    around(
      `<h1>Results</h1><table>${Array.from({ length: 30 }, (_, at) => `<tr><td>${at + 1}</td><td>Crew ${at + 1}</td><td>7:${String(at + 10)}</td></tr>`).join('')}</table>`,
    ),
  ),
  'event list': pageOf(
    'Events',
    around(
      Array.from(
        { length: 6 },
        (_, at) => `<article><h2>Concert ${at + 1}</h2><time>2026-12-0${at + 1}</time>${paragraphs(1, at)}</article>`,
      ).join(''),
    ),
    jsonLd('Event'),
  ),
  'frequently asked': pageOf(
    'Questions',
    around(
      Array.from(
        { length: 6 },
        (_, at) => `<details><summary>Question ${at + 1}: when are you open?</summary>${paragraphs(1, at)}</details>`,
      ).join(''),
    ),
  ),
  'price list and payment by a service': pageOf(
    'Courses',
    around(
      `${paragraphs(3, 4)}<form action="https://www.paypal.com/donate" method="post" target="_top"><input type="hidden" name="hosted_button_id" value="X"><button>Donate with PayPal</button></form>`,
    ),
  ),
  'sign-in by others': pageOf(
    'Sign in - Allotments',
    `<main><h1>Allotments</h1>${paragraphs(1, 2)}${login()}<p>or</p><a href="https://accounts.google.com/o/oauth2/auth?client_id=1">Sign in with Google</a> <a href="https://www.facebook.com/dialog/oauth?client_id=1">Continue with Facebook</a></main>`,
  ),
  'sign-up': pageOf(
    'Join',
    around(
      `<h1>Join the club</h1><form method="post" action="/join">${fields}<input type="password" name="p1"><input type="password" name="p2"><button>Join</button></form>${paragraphs(2, 6)}`,
    ),
  ),
  'shop with a chat': pageOf(
    'Lamps',
    `${around(paragraphs(5, 3))}<script>window.intercomSettings={app_id:"x"};(function(){var s=document.createElement("script");s.async=true;s.src="https://widget.intercom.io/widget/x";document.body.appendChild(s)})()</script>`,
  ),
  'page with a template element': pageOf(
    'Planner',
    around(
      `<h1>Planner</h1>${paragraphs(4, 7)}<template id="row"><li class="task"></li></template><ul id="tasks"></ul>${chunk('planner')}`,
    ),
  ),
  'page that writes a date': pageOf(
    'Parish',
    around(`${paragraphs(3, 1)}<p>© <script>document.write(new Date().getFullYear())</script> Parish</p>`),
  ),
  'language by a link': pageOf(
    'Willkommen',
    `<html lang="de">${around(`<h1>Töpferei am Bach</h1><p>Unsere Werkstatt ist dienstags bis samstags geöffnet. Kurse für Anfänger beginnen im Januar, Anmeldung telefonisch oder im Laden. Gutscheine gelten drei Jahre.</p><p><a href="/en">English</a></p>`)}`,
  ),
  'press release with a frame of comments': pageOf(
    'Press',
    around(`${paragraphs(7, 10)}<iframe src="/comments.html" width="100%" height="300"></iframe>`),
  ),
  'online course with a login in a dialog': pageOf(
    'Course',
    `${around(paragraphs(5, 5))}<dialog id="login">${login()}</dialog><script>document.getElementById("l")?.addEventListener("click",()=>login.showModal())</script>`,
  ),
  forum: pageOf(
    'Forum',
    around(
      Array.from(
        { length: 10 },
        (_, at) =>
          `<div class="topic"><a href="/t/${at}">How do you season a pan, part ${at + 1}</a> by anna, ${at + 2} replies</div>`,
      ).join(''),
    ),
  ),
  'small notice': pageOf(
    'Closed',
    around(
      '<h1>Closed this week</h1><p>The shop is closed until Monday because the oven is being repaired. Orders that were placed before Friday are sent as usual. We are sorry for the trouble.</p>',
    ),
  ),
  'first page that refreshes itself': pageOf(
    'Scores',
    around(`${paragraphs(4, 4)}`),
    '<meta http-equiv="refresh" content="300">',
  ),
  'page that remembers a consent and reloads': pageOf(
    'Brewery',
    `${around(paragraphs(5, 11))}<script>document.querySelector("nav").addEventListener("click",function(){document.cookie="age=1";location.reload()})</script>`,
  ),
  'page with a menu by script': pageOf(
    'Town',
    `${around(paragraphs(6, 8))}<script>document.querySelector("ul").insertAdjacentHTML("beforeend","<li><a href=\\"/events\\">Events</a></li>");window.addEventListener("hashchange",function(){location.hash&&scrollTo(0,0)})</script>`,
  ),
  'accessible forms with scripts for each field': pageOf(
    'Booking',
    around(
      `<h1>Book a court</h1>${paragraphs(2, 9)}<form method="post" action="/book">${fields}<select name="court"><option>1<option>2</select><input type="date" name="day"><button onclick="return confirm('Book?')">Book</button></form>`,
    ),
  ),
  'page of an open-source project': pageOf(
    'tinytool',
    around(
      `<h1>tinytool</h1><pre>npm install tinytool</pre>${paragraphs(4, 6)}<script async defer src="https://buttons.github.io/buttons.js"></script>`,
    ),
  ),
  policy: pageOf(
    'Privacy',
    around(
      `<h1>Privacy policy</h1>${paragraphs(14, 2)}<p>Payments are made by PayPal, and videos are shown by YouTube.</p>`,
    ),
  ),
};

/** Pages that their script draws: nothing is in the document. */
const EMPTY: Readonly<Record<string, string>> = {
  'application of React': pageOf(
    'Planner',
    `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>${chunk('main.8f2c')}`,
  ),
  'application of Vue': pageOf(
    'Warehouse',
    '<div id="app"></div><script type="module" crossorigin src="/assets/index-4f1.js"></script>',
  ),
  'application of Angular': pageOf(
    'Tickets',
    '<app-root></app-root><script src="runtime.js" type="module"></script><script src="main.js" type="module"></script>',
  ),
};

const FIRST_ROW = 400;

/** All honest pages. To add one, add a member above. */
export const HONEST_PAGES: readonly HonestPage[] = [
  ...Object.entries(WITH_CONTENT).map(([name, html]) => ({ name, html, isEmptyShell: false })),
  ...Object.entries(EMPTY).map(([name, html]) => ({ name, html, isEmptyShell: true })),
].map(({ name, html, isEmptyShell }, at) => ({
  name,
  host: kitOf(FIRST_ROW + at).host.replace(/net$/, 'com'),
  site: { '/': html, '/comments.html': pageOf('Comments', paragraphs(2)) },
  isEmptyShell,
}));
