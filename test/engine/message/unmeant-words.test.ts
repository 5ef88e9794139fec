import { describe, expect, test } from 'bun:test';
import { linksInText } from '#src/engine/message/text/links-in-text.ts';
import { ADDRESSES, LINES, SENTENCES, WORDS } from './unmeant-words.ts';

const urlsOf = (text: string) => linksInText(text).links.map(({ url }) => url);

describe.each(Object.entries(SENTENCES))('in sentences (%s)', (_, sentences) => {
  test('words that nobody meant as an address are no links', () => {
    const wrong = WORDS.flatMap((word) =>
      sentences.map((sentence) => sentence.replaceAll('WORD', word)).filter((text) => urlsOf(text).length > 0),
    );
    expect(wrong).toEqual([]);
  });

  test('addresses that somebody meant are links', () => {
    for (const [written, url] of ADDRESSES)
      for (const sentence of sentences) expect(urlsOf(sentence.replaceAll('WORD', written))).toEqual([url]);
  });
});

test.each(LINES)('%j has no link', (text) => {
  expect(urlsOf(text)).toEqual([]);
  expect(urlsOf(`Hello,\n\n${text}\n\nBye`)).toEqual([]);
});

test('an address alone on its line, or announced, is a link under any suffix that is no extension of files', () => {
  for (const host of ['poste.it', 'paypal.life', 'wien.gv.at', 'secure.paypal.me', 'paypal.shop', '192.0.2.7'])
    expect(urlsOf(`Hello,\n\n${host}\n\nBye`)).toEqual([`http://${host}`]);
  expect(urlsOf('the server "192.0.2.7" is down')).toEqual(['http://192.0.2.7']);
  for (const text of [
    'Please visit paypal.life today',
    'besuchen Sie uns unter paypal.life',
    'Link: paypal.life',
    'رابط paypal.life',
  ])
    expect(urlsOf(text)).toEqual(['http://paypal.life']);
});

test('a text that a person entered as links has links alone', () => {
  const urls = (text: string) => linksInText(text, undefined, true).links.map(({ url }) => url);
  expect(urls('evil.zip\nallegro.pl\n\nREADME.md')).toEqual([
    'http://evil.zip',
    'http://allegro.pl',
    'http://README.md',
  ]);
  expect(urls('host.intern')).toEqual(['http://host.intern']);
  expect(urls('we changed README.md')).toEqual([]);
  expect(urls('- evil.in\n2) evil.zip\nevil.example,phish\nb.example;1')).toEqual([
    'http://evil.in',
    'http://evil.zip',
    'http://evil.example',
    'http://b.example',
  ]);
  const listed = 'https://bad-path.example/login.php';
  for (const line of [`"${listed}","phish"`, `${listed},phish`, `${listed};x`, `${listed}|x`, `phish,${listed}`])
    expect(urls(line)).toEqual([listed]);
});
