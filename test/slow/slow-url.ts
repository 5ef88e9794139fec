import { MAX_URL_LENGTH } from '#src/core/url/target.ts';
import type { Mountain } from './climb.ts';

/** What URLs are made of that make a reader work: hosts, names, values, escapes, nesting, half of everything. */
export const URLS: Mountain = {
  starts: [
    'http://a.example/?a=',
    'http://a.example/',
    'http://a.example/?',
    'http://a.example/#',
    'http://',
    'https://paypal.',
    'http://u:',
    'http://user@a.example/?u=',
    'http://xn--80ak6aa92e.example/?url=http://b.example/?url=',
    'https://paypal-login.a.example/login/?next=',
  ],
  pieces: [
    ...'eyJ eyJ. . / // /otp/ /a/b & ; ? # = == a= a=a& k=1& A1=b2& token= pw= code=1a2b @ a@ a@b.cc : :// http://a/?'.split(
      ' ',
    ),
    ...'%25 %2525 %252541 %41 %e4 %e4%e4a %C3%A9 %3D %26 %40 %2F%2F %22a%22:%22 "a":" {"token":" " é ｏ \u0308 \ud800'.split(
      ' ',
    ),
    ...'1 4111111111111111 a1B2 aB Z9 -a _ + +49 %20 DE89 passw uid= x y.zz *** url=http://№.example/& u=aHR0cD аpple'.split(
      ' ',
    ),
    ...'a. a- paypal. paypal- rnicrosoft. paypa1 xn--fsq. xn-- 0x7f. 1.2.3.4 [::1] login verify account. com. № №. №- №/'.split(
      ' ',
    ),
    ...'http%3A%2F%2F http%253A%252F%252F aHR0cDovL2Iu mailto: javascript: data: \\ | \u0300\u0323 \u0f71\u0f72 中 日本 😀'.split(
      ' ',
    ),
  ],
  ends: [
    '',
    '.com/',
    'a.com/',
    '/',
    '@a.com/',
    '.mcas.ms/',
    '.translate.goog/',
    '.github.io/',
    ':80/',
    '.php',
    '?a=b#c',
  ],
  length: MAX_URL_LENGTH,
};
