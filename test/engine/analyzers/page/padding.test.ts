import { describe, expect, test } from 'bun:test';
import { featuresOf } from './features-of.ts';

const LOGIN = '<form action=/x><input type=password></form>';
const MIB = 1024 * 1024;
const upTo = (piece: string, characters = 2.2 * MIB) => piece.repeat(Math.ceil(characters / piece.length));
const notice = '<p>Please wait while your document is opened.</p>';

describe('padding before a form is caught', () => {
  test.each([
    ['comments', upTo('<!-- x -->')],
    ['one comment', `<!--${upTo('pad ')}-->`],
    ['white space', upTo(' \n')],
    ['no-break spaces', upTo('&nbsp;')],
    ['characters of no width', upTo('\u200b')],
    ['dots', upTo('. ')],
    ['empty elements', upTo('<div></div>')],
    ['attributes', upTo('<b title="of no use to anybody"></b>')],
    ['a script', `<script>var a="${upTo('x')}"</script>`],
    ['data', `<script type=application/json>"${upTo('x')}"</script>`],
    ['a style sheet', `<style>${upTo('a{}')}</style>`],
    ['a picture in place', `<img src="data:image/png;base64,${upTo('A')}">`],
    ['a drawing', `<svg><path d="${upTo('M0 0')}"/></svg>`],
    ['text that a style hides', `<div style="display:none">${upTo('ordinary words ')}</div>`],
    ['text that a class hides', `<style>.n{display:none}</style><div class=n>${upTo('ordinary words ')}</div>`],
    ['hidden text', upTo('<p hidden>ordinary words</p>')],
    ['a template', `<template>${upTo('ordinary words ')}</template>`],
    ['content behind it', `<!--${upTo('pad ', 1.5 * MIB)}-->${upTo('<p>ordinary words</p>', MIB)}`],
  ])('%s', (_, padding) => {
    for (const page of [notice + padding + LOGIN, padding + notice + LOGIN]) {
      const features = featuresOf(page);
      expect(features['page.padded'] ?? features['page.too_little_read']).toBeDefined();
    }
  });
});

describe('a long page is not padded', () => {
  test.each([
    ['of paragraphs', upTo('<p>The garden club meets on the first Monday of each month.</p>\n')],
    ['of plain text', `<pre>${upTo('12:30 a line of a log that somebody has published\n')}</pre>`],
    [
      'of a table',
      `<table>${upTo('<tr><td class="name">Rose, climbing</td><td class="price">12.50</td></tr>')}</table>`,
    ],
    ['in Japanese', upTo('<p>庭の会は毎月第一月曜日に集まります。</p>')],
    [
      'behind a long head',
      `<head><style>${upTo('a{color:red}', MIB / 2)}</style></head>${upTo('<p>Notes of the club.</p>')}`,
    ],
    ['with data at its end', `${upTo('<p>Notes of the club.</p>', 20_000)}<script>var a="${upTo('x')}"</script>`],
  ])('%s', (_, text) => {
    const features = featuresOf(text);
    expect(features['page.not_seen_whole']).toBeDefined();
    expect(features['page.padded']).toBeUndefined();
    expect(features['page.too_little_read']).toBeUndefined();
  });
});
