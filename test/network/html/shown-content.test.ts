import { describe, expect, test } from 'bun:test';
import { readPage } from '#src/network/html/read-page.ts';

const url = 'https://page.example/';
const HONEST = 'https://honest.example/';
const REFRESH = `<meta http-equiv=refresh content="0;url=${HONEST}">`;
const FORM = '<form action=/steal><input type=password></form>';

function read(html: string, contentPolicy?: string) {
  return readPage(new TextEncoder().encode(html), { contentType: 'text/html; charset=utf-8', url, contentPolicy });
}

const inScript = (markup: string) => `<script>document.write(unescape("${escape(markup)}"))</script>`;

test.each([
  ['the page', REFRESH, true],
  ['noscript', `<noscript>${REFRESH}</noscript>`, false],
  ['a template', `<template>${REFRESH}</template>`, false],
  ['a template in a template', `<template><template>${REFRESH}</template></template>`, false],
  ['a template whose parent ends inside it', `<div><template></div>${REFRESH}`, false],
  ['a template as deep as elements go', `${'<div>'.repeat(300)}<template><p>${REFRESH}</template>`, false],
  ['a shadow root', `<p><template shadowrootmode=open>${REFRESH}</template></p>`, false],
  ['a frame', `<iframe srcdoc='${REFRESH}'></iframe>`, false],
  ['a frame that ends the body', `<body><iframe srcdoc='</body></html>${REFRESH}'></iframe>`, false],
  ['a script', inScript(REFRESH), null],
  ['a drawing', `<svg>${REFRESH}</svg>`, true],
  ['what comes behind noscript', `<noscript><p title="</noscript>${REFRESH}">`, true],
  ['what comes behind a written template', `${inScript('<template>')}${REFRESH}`, true],
])('a refresh in %s: %s is followed: %p', (_, html, followed) => {
  expect(read(html).refreshes.map((refresh) => refresh.followed)).toEqual([followed]);
});

test.each([
  ['sandbox', false],
  ['sandbox allow-forms', false],
  ['default-src *; SANDBOX allow-scripts', true],
  ['sandbox allow-scripts, sandbox', false],
  [`default-src *; ${'x '.repeat(2000)}; sandbox`, false],
  ["script-src 'none'", true],
])('a refresh under the policy %s is followed: %p', (policy, followed) => {
  expect(read(REFRESH, policy).refreshes[0]?.followed).toBe(followed);
});

describe('a form has the same target as in a browser', () => {
  const actionsOf = (html: string, policy?: string) =>
    read(html, policy)
      .forms.filter(({ fields, origin }) => fields.length > 0 && origin === 'page')
      .map(({ action }) => action);
  const STEAL = `${url}steal`;
  const base = `<base href="${HONEST}">`;

  test.each([
    ['a base in noscript', `<noscript>${base}</noscript>${FORM}`, [STEAL]],
    ['a base in a template', `<template>${base}</template>${FORM}`, [STEAL]],
    ['a base in a frame', `<iframe srcdoc='${base}'></iframe>${FORM}`, [STEAL]],
    ['a base in a drawing', `<svg>${base}</svg>${FORM}`, [STEAL]],
    ['a base that a script may write', `${inScript(base)}${FORM}`, [null]],
    ['a form that noscript leaves open', `<noscript><form action=${HONEST}></noscript>${FORM}`, [STEAL]],
    ['a form in a drawing', `<svg><form action=${HONEST}></svg>${FORM}`, [STEAL]],
    ['a form that is over, its element open', `<form action=/steal><div></form><input type=password>`, [STEAL]],
    ['a form that comes later', `<input form=f type=password><form id=f action=/steal></form>`, [STEAL]],
    ['an id that another element has first', `<p id=f><form id=f action=/x></form><input form=f>`, [null]],
  ])('%s', (_, html, actions) => {
    expect(actionsOf(html)).toEqual(actions);
  });

  test.each([
    ['sandbox allow-scripts', null],
    ['sandbox allow-forms', STEAL],
    ["form-action 'self'", STEAL],
    ['form-action https://other.example', null],
    ['form-action https://*.example/steal', STEAL],
    ["form-action 'none'", null],
  ])('under the policy %s', (policy, action) => {
    expect(actionsOf(FORM, policy)).toEqual([action]);
  });

  test.each([
    ["base-uri 'none'", STEAL],
    ["base-uri 'self'", STEAL],
    ['base-uri https:', `${HONEST}steal`],
  ])('with a base under the policy %s', (policy, action) => {
    const relative = '<form action=steal><input type=password></form>';
    expect(actionsOf(base + relative, policy)).toEqual([action]);
    expect(actionsOf(`<meta http-equiv=content-security-policy content="${policy}">${base}${relative}`)).toEqual([
      action,
    ]);
  });
});

test('uses the title that a script writes if the page has none', () => {
  const written = inScript('<title>Garden club</title>');
  expect(read(`${written}<title>PayPal</title>`).title).toBe('PayPal');
  expect(read(written).title).toBe('Garden club');
});
