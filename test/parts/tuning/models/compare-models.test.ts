import { expect, test } from 'bun:test';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { ASSESS_SETTINGS } from '#src/engine/assess/settings.ts';
import { createComparison } from '#src/parts/tuning/models/compare-models.ts';
import { loginCheck } from '#test/support/login-check.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';

const CHOSEN = defaultsOf(ASSESS_SETTINGS);
const HTML = '<title>PayPal: log in</title><form action="/in" method=post><input name=who><input type=password></form>';

/** A check of a page with a form, as a log gives it back; a model called `by` judged it. */
function kept(url: string, by: string) {
  const lists = { state: 'skipped', reason: 'disabled' } as const;
  return loginCheck(url, HTML, { models: MODELS, settings: SETTINGS, lists, modelVersion: by });
}

test.each([
  'https://www.example.org/shop/item?id=7',
  'http://192.0.2.7/login.php',
  'https://paypal.com.account-check.example/signin',
  'https://www.google.com/url?q=http%3A%2F%2Fpaypal-login.verify-account.cyou%2Fsignin',
])('re-scoring %s with the same model gives the same result, whatever its version is called', (url) => {
  const compare = createComparison(MODELS, MODELS, CHOSEN);
  for (const by of [MODELS.version, 'another']) {
    const check = kept(url, by);
    const compared = compare(check);
    for (const said of [compared?.was, compared?.now]) {
      expect(said?.probability).toBeCloseTo(check.malicious_probability, 9);
      expect(said?.decision).toBe(check.decision);
    }
  }
});

test('another model re-scores only the text of the URL, and applies its own thresholds', () => {
  const strict = {
    ...MODELS,
    version: 'strict',
    fusion: { ...MODELS.fusion, term_scale: 0, thresholds: { warn: 0.001, block: 0.9999 } },
  };
  const check = kept('https://www.example.org/', MODELS.version);
  const compared = createComparison(MODELS, strict, CHOSEN)(check);
  const others = check.analysis_details.reasons.filter(({ component }) => component !== 'url');
  const logOdds = others.reduce((sum, { weight }) => sum + weight, check.analysis_details.base_log_odds);
  expect(compared?.now.probability).toBeCloseTo(1 / (1 + Math.exp(-logOdds)), 9);
  expect(compared?.now.decision).toBe('warn');
});
