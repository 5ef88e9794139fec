import { expect, test } from 'bun:test';
import { compareWords, isSameSite, mismatchOf } from '#src/engine/message/mismatch.ts';

test.each([
  ['paypal.com', 'paypal.com', true],
  ['www.paypal.com', 'paypal.com', true],
  ['links.paypal.com', 'www.paypal.com', true],
  ['a.paypal.com', 'b.paypal.com', true],
  ['a.bank.de', 'b.bank.de', true],
  ['a.one.co.uk', 'b.one.co.uk', true],
  ['one.co.uk', 'two.co.uk', false],
  ['one.com.br', 'two.com.br', false],
  ['co.uk', 'two.co.uk', true],
  ['com', 'paypal.com', false],
  ['localhost', 'localhost', true],
  ['www.intranet', 'intranet', true],
  ['mail.intranet', 'intranet', false],
  ['paypal.com', 'evil.com', false],
  ['paypal.com', 'paypal.com.evil.example', false],
  ['paypal.com', 'notpaypal.com', false],
  ['paypal.com', 'paypal.www.com', false],
])('%s and %s are one site: %p', (one, other, isSame) => {
  expect([isSameSite(one, other), isSameSite(other, one)]).toEqual([isSame, isSame]);
});

test('words that contain several hosts match if one of them is the destination', () => {
  expect(mismatchOf('paypal.com or evil.example', 'https://evil.example/')).toBeNull();
  expect(mismatchOf('paypal.com or bank.example', 'https://evil.example/')).toEqual({
    says: 'paypal.com',
    goesTo: 'evil.example',
  });
});

test('without a host in the words, or a URL, there is no mismatch', () => {
  expect(mismatchOf('Click here', 'https://evil.example/')).toBeNull();
  expect(mismatchOf('paypal.com', 'no URL')).toBeNull();
});

test.each([
  ['https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.example%2F', 'evil.example'],
  ['https://eur01.safelinks.protection.outlook.com/?url=HTTPS%3a%2f%2fevil.example%2f', 'evil.example'],
  ['https://eur01.safelinks.protection.outlook.com/?url=https%253A%252F%252Fevil.example', 'evil.example'],
  ['https://urldefense.proofpoint.com/v2/url?u=http-3A__evil.example_x&d=1', 'evil.example'],
  ['https://urldefense.proofpoint.com/v2/url?u=HTTPS-3A__evil.example_x&d=1', 'evil.example'],
  ['https://urldefense.com/v3/__https://evil.example/x__;!!a', 'evil.example'],
  [
    'https://notsafelinks.protection.outlook.com.evil.example/?url=https://paypal.com/',
    'notsafelinks.protection.outlook.com.evil.example',
  ],
  ['https://protect-uk.mimecast.com/s/abc?domain=evil.example', 'evil.example'],
  ['https://eu-west-1.protection.sophos.com/?d=evil.example&u=aHR0cHM6Ly9ldmlsLmV4YW1wbGUveA==&i=x', 'evil.example'],
  ['https://avanan.url-protection.com/v1/url?o=https%3A//evil.example/x&g=O', 'evil.example'],
  ['https://shared.outlook.inky.com/link?domain=evil.example&t=h.eJx', 'evil.example'],
  ['https://antiphishing.vadesecure.com/v4?f=a&u=https%3A%2F%2Fevil.example%2Fx', 'evil.example'],
  ['https://x.r.eu-central-1.awstrack.me/L0/https:%2F%2Fevil.example%2Fx/1/0100-000000/abc=1', 'evil.example'],
  ['https://www.google.com/url?q=evil.example/x&sa=D', 'evil.example'],
  ['https://l.facebook.com/l.php?u=https%3A%2F%2Fevil.example%2F', 'evil.example'],
  [
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Flinkprotect.cudasvc.com%2Furl%3Fa%3Dhttps%253a%252f%252fevil.example%252f',
    'evil.example',
  ],
  ['https://evil.example/?url=https://paypal.com/', 'evil.example'],
  ['https://ct.sendgrid.net.evil.example/ls/click?upn=u001.abc', 'ct.sendgrid.net.evil.example'],
])('%s leads to %s', (url, goesTo) => {
  expect(mismatchOf('paypal.com', url)).toEqual({ says: 'paypal.com', goesTo });
});

test.each([
  ['https://u123456.ct.sendgrid.net/ls/click?upn=u001.abc', 'SendGrid', 'tracker'],
  ['https://xk3s.mjt.lu/lnk/AAA/1/bcd', 'Mailjet', 'tracker'],
  ['https://url.uk.m.mimecastprotect.com/s/YP9XCWQRPfDXo1NIKijuVb2y7', 'Mimecast', 'protector'],
  ['https://url.emailprotection.link/?b6t_II7rHqeURY3L4E7-KcEv', 'Proofpoint', 'protector'],
  ['https://eur01.safelinks.protection.outlook.com/', 'Microsoft Safe Links', 'protector'],
  [
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fu1.ct.sendgrid.net%2Fls%2Fclick%3Fupn%3Da',
    'SendGrid',
    'tracker',
  ],
] as const)('%s hides its target', (url, through, kind) => {
  expect(compareWords('paypal.com', url)).toEqual({ mismatch: null, detour: { says: 'paypal.com', through, kind } });
});

test.each([
  'https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.news.example%2Fworld&data=1',
  'https://protect-eu.mimecast.com/s/4b7xCMZ9PspRvqxfVqKuc?domain=news.example',
  'https://urldefense.com/v3/__https://www.news.example/world__;!!abc$',
  'https://atpscan.global.hornetsecurity.com/?d=Y&u=https%3A%2F%2Fwww.news.example%2Fworld',
  'https://ca-1234.url-protection.trendmicro.com/wis/clicktime/v1/query?url=https%3A%2F%2Fwww.news.example%2Fworld&umid=a',
  'https://link.edgepilot.com/s/1a2b/Zq?u=https://www.news.example/world',
  'https://www.google.com/url?q=https://www.news.example/world',
  'https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fwww.news.example%2fnews&c=E',
  'https://url1234.news.example/ls/click?upn=u001.abc',
])('%s leads to what its words name', (url) => {
  expect(compareWords('www.news.example/world', url)).toEqual({ mismatch: null, detour: null });
});
