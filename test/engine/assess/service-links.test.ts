import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import { SERVICE_FORMS, serviceLinks } from '#src/training/data/service-links.ts';
import { NOTHING } from '#test/engine/analyzers/evidence-samples.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const COUNT = 40;
const MOST_WARNED = 0.05 * COUNT;
const EVIL = 'paypal-login.verify-account.cyou';

const decisionOn = (url: string) => assess(targetOf(url), NOTHING, MODELS, SETTINGS).decision;

describe('what the program of a service writes into a link does not speak against it', () => {
  test.each(Object.entries(SERVICE_FORMS))('%s', (_, form) => {
    const links = serviceLinks(form, COUNT);
    const decided = Map.groupBy(links, decisionOn);
    expect(decided.get('block') ?? []).toEqual([]);
    expect((decided.get('warn') ?? []).length).toBeLessThanOrEqual(MOST_WARNED);
  });
});

test('the name that Mailchimp gives an account at a mail provider is no claim to be that provider', () => {
  const click = 'track/click?u=0123456789abcdef01234567&id=01234567ab&e=0123456789';
  for (const name of ['gmail', 'hotmail', 'yahoo', 'icloud'])
    for (const link of [click, 'unsubscribe?u=0123456789abcdef01234567&id=01234567ab'])
      expect([name, decisionOn(`https://${name}.us5.list-manage.com/${link}`)]).toEqual([name, 'allow']);
  expect(decisionOn(`https://paypal.us5.list-manage.com/${click}`)).not.toBe('allow');
  expect(decisionOn('https://gmail.us5.list-manage.com.verify-account.cyou/login')).toBe('block');
});

describe('a link of a service to a suspicious site is blocked', () => {
  test.each([
    `https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2F${EVIL}%2Fsignin&data=05`,
    `https://urldefense.com/v3/__https://${EVIL}/signin__;!!K!x$`,
    `https://urldefense.com/v3/__https%3A//${EVIL}/signin__%3B%21%21abc%24`,
    `https://url.uk.m.mimecastprotect.com/s/YP9XCWQRPfDXo1N?domain=${EVIL}`,
    `https://linkprotect.cudasvc.com/url?a=https%3a%2f%2f${EVIL}%2fsignin&c=E`,
    `https://eu-central-1.protection.sophos.com/?d=${EVIL}&u=${btoa(`https://${EVIL}/signin`)}`,
    `https://imsva91-ctp.trendmicro.com/wis/clicktime/v1/query?url=https%3A%2F%2F${EVIL}%2Fsignin`,
    `https://atpscan.global.hornetsecurity.com/?d=Y&u=https%3A%2F%2F${EVIL}%2Fsignin`,
    `https://avanan.url-protection.com/v1/url?o=https%3A//${EVIL}/signin&g=O`,
    `https://link.edgepilot.com/s/1a2b/Zq?u=https://${EVIL}/signin`,
    `https://x.r.eu-central-1.awstrack.me/L0/https:%2F%2F${EVIL}%2Fsignin/1/0100-000000/abc=1`,
    `https://click.pstmrk.it/3s/${EVIL}%2Fsignin/abcd/AQ/x`,
    `https://mail.harbour-town.org/CL0/https:%2F%2F${EVIL}%2Fsignin/1/0100-000000/abc=1`,
    `https://www.google.com/url?q=https://${EVIL}/signin`,
  ])('%s', (url) => {
    expect(decisionOn(url)).toBe('block');
  });
});

test('a host that is like that of a service, or has its form of links, keeps the evidence of its name', () => {
  const upn = `ls/click?upn=u001.${'aB3-'.repeat(40)}`;
  for (const host of [
    EVIL,
    `url1234.${EVIL}`,
    'ct.sendgrid.net.paypal-login-secure.top',
    'sharepoint-login.com.verify-acct.top',
  ])
    expect([host, decisionOn(`https://${host}/${upn}`)]).toEqual([host, 'block']);
  const tenant = 'https://paypal-login-verify.sharepoint.com/:b:/g/personal/x_y/EabcdefghijK1234567890abcdef';
  expect(decisionOn(tenant)).not.toBe('allow');
});
