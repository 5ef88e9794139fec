import { expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import { unobserved } from '#src/network/probes/observations.ts';
import { createPageJudge } from '#src/training/measure/page-judge.ts';
import { subjectOf } from '#test/engine/analyzers/page/features-of.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';

test('the log-odds of the components are those of a check', () => {
  const { target, observations } = subjectOf('<title>PayPal</title><form action=next.php><input type=password></form>');
  const seen = { ...unobserved('not_applicable', { state: 'skipped', reason: 'disabled' }), page: observations.page };
  const { verdict } = assess(target, seen, MODELS, SETTINGS);
  const judgement = createPageJudge(MODELS, SETTINGS)(target, seen);
  const sum = Object.values(judgement.logOdds).reduce((total, value) => total + value, 0);
  expect(verdict.baseLogOdds + sum).toBeCloseTo(verdict.logOdds, 9);
  expect(judgement.logOdds.page).toBeGreaterThan(2);
  expect(judgement.features).toContain('page.asks_as_foreign_brand');
});
