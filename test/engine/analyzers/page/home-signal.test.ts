import { describe, expect, test } from 'bun:test';
import { analyzePage } from '#src/engine/analyzers/page.ts';
import fusion from '#src/engine/models/fusion.json' with { type: 'json' };
import { said } from '#test/support/said.ts';
import { featuresOf, subjectOf } from './features-of.ts';

const SITE = 'https://www.garten-huber.test/konto/anmelden';
const LINKS = ['', 'shop', 'konto', 'hilfe', 'impressum', 'agb', 'kontakt', 'versand']
  .map((path) => `<a href="/${path}">${path}</a>`)
  .join('');
const HOME = `<title>Anmelden – Garten Huber</title><link rel=stylesheet href=/look.css><img src=/logo.png>
  <form method=post action=/login><input name=user><input type=password name=password><button>Anmelden</button></form>
  ${LINKS}<p>Garten-Huber, info@garten-huber.test</p>`;

const homeOf = (html: string, url = SITE) => featuresOf(html, url)['page.at_home'];

test('features of its site lower the score of a page, and are named', () => {
  expect(homeOf(HOME)).toMatchObject({ name: 'page.at_home', value: 1 });
  expect(said(homeOf(HOME))).toBe(
    'What the page shows belongs to garten-huber.test: it names the site, leads to 8 of its pages, has its pictures and styles there, gives a mail address of it.',
  );
  const less = homeOf(HOME.replaceAll(/Garten.Huber|garten-huber/g, 'Willkommen'));
  expect(less?.value).toBeCloseTo(0.6, 6);
  expect(said(less)).not.toContain('names the site');
});

describe('features of its site do not lower the score', () => {
  test('on a platform, or on an address without a name', () => {
    expect(homeOf(HOME, 'https://forms.paywell.example/f/1')).toBeUndefined();
    expect(homeOf(HOME, 'https://192.0.2.7/konto')).toBeUndefined();
  });

  test('of a page in the name of another brand, whatever its links', () => {
    const url = 'https://paywell-login.test/';
    expect(homeOf(`<title>Paywell</title>${HOME}© Paywell`, url)).toBeUndefined();
    expect(homeOf(HOME, url)).toBeDefined();
  });

  test('of a link that ended on another site', () => {
    const asked = subjectOf('', 'https://short.test/x').target;
    const names = analyzePage({ ...subjectOf(HOME, SITE), target: asked }, [])?.evidence.features.map(
      ({ name }) => name,
    );
    expect(names).not.toContain('page.at_home');
  });

  test('if most links lead to other sites or to no page', () => {
    const away = Array.from({ length: 8 }, (_, i) => `<a href="https://other${i}.test/">x</a>`).join('');
    expect(homeOf(HOME + away)).toBeUndefined();
    expect(homeOf(HOME.replaceAll(/href="[^"]*"/g, 'href="#"'))).toBeUndefined();
  });
});

test('a page lowers the log-odds by at most 2.5', () => {
  expect(fusion.weights['page.at_home'].weight).toBe(-2.5);
  expect(fusion.caps.page.min).toBe(-2.5);
});
