import { describe, expect, test } from 'bun:test';
import { isSignInForm } from '#src/core/knowledge/words/lure-words.ts';
import { targetOf } from '#test/support/target.ts';

const isForm = (rest: string) => isSignInForm(targetOf(`https://example.org${rest}`));

describe('the address of a sign-in page', () => {
  test.each([
    '/login',
    '/Login.aspx?ReturnUrl=%2F',
    '/giris',
    '/?_task=login',
    '/roundcube/?_task=login',
    '/owa/auth/logon.aspx',
    '/login/index.php',
    '/index.php?route=account/login',
    '/index.php?title=Special:Login',
    '/users/sign_in',
    '/wp-login.php?redirect_to=https%3A%2F%2Fexample.org',
    '/pl/konto/zaloguj-sie',
    '/accounts/login/?next=/',
  ])('%s', (rest) => {
    expect(isForm(rest)).toBe(true);
  });
});

describe('not an address of a sign-in page', () => {
  test.each([
    '/',
    '/news',
    '/wp-content/login/verify.php',
    '/a/b/c/login',
    '/login/paypal.com/verify',
    '/secure-login-update',
    '/login?email=a@example.org',
    '/login?a=1&b=2&c=3',
    '/index.php?page=news',
    `/${'x'.repeat(30)}/login`,
  ])('%s', (rest) => {
    expect(isForm(rest)).toBe(false);
  });
});
