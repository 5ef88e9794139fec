import { describe, expect, test } from 'bun:test';
import { createListGuard, type Quarantine } from '#src/network/lists/stored/guard.ts';
import { readStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import { MODELS } from '#test/support/models.ts';

const guard = createListGuard(MODELS.knowledge, ['portal.bank.example', 'our-own.example']);

function heldBack(value: string): Quarantine | null {
  const entry = readStoredEntry(value);
  if ('problem' in entry) throw new Error(`${value} ${entry.problem}`);
  return guard(entry);
}

describe('an entry is held back', () => {
  test.each([
    ['com', 'public_suffix'],
    ['co.uk', 'public_suffix'],
    ['github.io', 'public_suffix'],
    ['GitHub.io.', 'public_suffix'],
    ['https://github.io/', 'public_suffix'],
    ['https://github.io/*', 'public_suffix'],
    ['blogspot.com', 'public_suffix'],
    ['localhost', 'public_suffix'],
    ['weebly.com', 'platform'],
    ['www.weebly.com', 'platform'],
    ['sites.google.com', 'platform'],
    ['bit.ly', 'platform'],
    ['formspree.io', 'platform'],
    ['google.com', 'popular_site'],
    ['www.wikipedia.org', 'popular_site'],
    ['http://www.wikipedia.org/', 'popular_site'],
    ['our-own.example', 'own_domain'],
    ['www.our-own.example', 'own_domain'],
    ['portal.bank.example', 'own_domain'],
    // What covers an own domain as well.
    ['bank.example', 'own_domain'],
    ['10.1.0.0/16', 'private_addresses'],
    ['127.0.0.1', 'private_addresses'],
    ['http://192.168.0.1/', 'private_addresses'],
    ['8.0.0.0/5', 'private_addresses'],
    ['0.0.0.0/0', 'private_addresses'],
    ['fe80::/10', 'private_addresses'],
    ['::/0', 'private_addresses'],
  ] as const)('%s: %s', (value, why) => {
    expect(heldBack(value)).toBe(why);
  });

  test.each([
    'evil.example',
    'user.github.io',
    'http://user.github.io/',
    'https://docs.google.com/forms/d/e/x',
    'https://bit.ly/x',
    'evil.weebly.com',
    'https://sites.google.com/view/kit*',
    'login.bank.example',
    'a.our-own.example',
    '45.9.0.0/16',
    'http://45.9.0.1/',
    '2a01:4f8::/32',
    'xn--bcher-kva.example',
  ])('but not %s', (value) => {
    expect(heldBack(value)).toBeNull();
  });
});
