import { describe, expect, test } from 'bun:test';
import type { PageFeatureName } from '#src/engine/analyzers/page.ts';
import { featuresOf } from './features-of.ts';

/**
 * Signs that may stand on a harmless page too: their weights are small, or speak for the site. None of the pages below may
 * show another.
 */
const WEAK: readonly PageFeatureName[] = [
  'page.names_nobody',
  'page.bare_login',
  'page.nameless_title',
  'page.dead_links',
  'page.at_home',
  'page.drawn_by_script',
];

function strongSignals(html: string, url: string): string[] {
  const weak: readonly string[] = WEAK;
  return Object.keys(featuresOf(html, url)).filter((name) => !weak.includes(name));
}

const form = (action: string, fields = '<input name=user><input type=password name=password>') =>
  `<form method=post action="${action}">${fields}<button type=submit>Log in</button></form>`;

describe('has no strong signal:', () => {
  test.each([
    [
      'a cloud on a host of one’s own',
      'https://cloud.familie-muster.test/login',
      `<html lang=en><title>Login – Nextcloud</title><link rel=icon href=/core/img/favicon.ico>${form('/login')}
       <a href=/lostpassword>Forgot password?</a><footer>Nextcloud – a safe home for all your data</footer>`,
    ],
    [
      'a code forge on a host of one’s own',
      'https://git.werkstatt.test/users/sign_in',
      `<title>Sign in · GitLab</title><h1>GitLab Community Edition</h1>${form('/users/sign_in')}
       <a href=/help>Help</a><a href=https://about.gitlab.com>About GitLab</a>`,
    ],
    [
      'a dashboard',
      'http://192.0.2.10:3000/login',
      `<title>Grafana</title><div id=reactRoot></div><noscript>Please enable JavaScript</noscript><script src=public/build/app.js></script>`,
    ],
    [
      'webmail',
      'https://mail.werkstatt.test/',
      `<title>Roundcube Webmail :: Welcome to Roundcube Webmail</title><img src=skins/elastic/images/logo.svg alt=Logo>${form('/?_task=login')}`,
    ],
    [
      'the page of a router',
      'http://192.168.1.1/',
      `<title>Login</title><img src=/logo.png>${form('/cgi-bin/login', '<input type=password name=pw>')}`,
    ],
    [
      'a VPN portal',
      'https://vpn.werkstatt.test/remote/login',
      `<title>Please Login</title>${form('/remote/logincheck')}`,
    ],
    [
      'single sign-on between the domains of one company',
      'https://www.werkstatt.test/',
      `<title>Werkstatt</title><a href=/about>About</a><a href=https://konto.werkstatt-id.test/help>Help</a>
       ${form('https://konto.werkstatt-id.test/login')}`,
    ],
    [
      'the same name under another suffix',
      'https://www.werkstatt.test/',
      `<title>Werkstatt</title>${form('https://login.werkstatt.example/')}`,
    ],
    [
      'a login by a well-known identity service',
      'https://www.werkstatt.test/',
      `<title>Werkstatt</title>${form('https://login.microsoftonline.com/common/oauth2/authorize')}`,
    ],
    [
      'a parked page',
      'https://parked.test/',
      '<title>parked.test</title><p>This domain is for sale. <a href=/buy>Buy it</a>',
    ],
    ['an empty page', 'https://empty.test/', ''],
    [
      'an article about a brand',
      'https://news.test/a',
      '<title>Why everybody talks of Paywell</title><h1>Paywell’s year</h1><p>News.test <a href=/>Home</a>',
    ],
    [
      'a shop that takes a brand’s payments',
      'https://shoesbyanna.test/cart',
      `<title>Cart – Shoes by Anna</title><img alt="Paywell" src=https://www.paywell-static.example/mark.svg>
       <form action=/pay method=post><input name=card_number autocomplete=cc-number><input name=cvv></form><p>© 2026 shoesbyanna.test <a href=/>Home</a>`,
    ],
    [
      'a newsletter form',
      'https://shoesbyanna.test/',
      '<title>Shoes</title><form action=https://anna.us1.list-manage.com/subscribe/post><input type=email name=EMAIL><button>Subscribe</button></form>',
    ],
  ])('%s', (_, url, html) => {
    expect(strongSignals(html, url)).toEqual([]);
  });
});
