import { describe, expect, test } from 'bun:test';
import { readTraits } from '#src/engine/campaigns/traits.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { targetOf } from '#test/support/target.ts';
import { LOGIN, seenForm, UNSEEN } from './seen-form.ts';

const URL = 'http://kunden-konto.example/';

function traitsOf(url: string, observations: Observations = UNSEEN) {
  return readTraits({ target: targetOf(url), observations, knowledge })?.traits;
}

describe('the path', () => {
  test.each([
    ['/gykolrhup', '/gykolrhup'],
    ['/usps-clone/', '/usps-clone'],
    ['/uwbrvz8quj/page1.php?id=3#top', '/uwbrvz8quj/page1.php'],
  ])('of %s is a trait', (path, trait) => {
    expect(traitsOf(`http://kunden-konto.example${path}`)?.path).toBe(trait);
  });

  test.each([
    '/',
    '/login',
    '/us',
    '/en-us/',
    '/v1/account',
    '/12345678',
    '/wp-admin/admin-ajax.php',
    `/${'gykolrhup'.repeat(99)}`,
  ])('of %s is not a trait', (path) => {
    expect(traitsOf(`http://kunden-konto.example${path}`)?.path).toBeNull();
  });
});

describe('the form', () => {
  const seen = (title: string, fields: string) => seenForm(URL, title, fields);

  test('that asks for a password, under a distinctive title, is a trait', () => {
    const form = traitsOf(URL, seen('Netflix Konto', LOGIN))?.form;
    expect(form).toBeString();
    expect(traitsOf('http://other.example/elsewhere', seen('NETFLIX konto', LOGIN))?.form).toBe(form);
    expect(traitsOf(URL, seen('Netflix Konto', `${LOGIN}<input name="pin">`))?.form).not.toBe(form);
  });

  test('with a generic title, of a search, or after a redirect to another site is not a trait', () => {
    expect(traitsOf(URL, seen('Login - Account', LOGIN))?.form).toBeNull();
    expect(traitsOf(URL, seen('Netflix Konto', '<input name="q">'))?.form).toBeNull();
    const { dns, registration, certificate } = UNSEEN;
    const landing = { host: 'elsewhere.example', dns, registration, certificate };
    expect(traitsOf(URL, { ...seen('Netflix Konto', LOGIN), landing })?.form).toBeNull();
  });
});
