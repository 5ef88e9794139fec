import { expect, test } from 'bun:test';
import { scoreUrl } from '#src/lexical/score.ts';
import { targetOf } from '#test/support/target.ts';
import { goldenUrls } from './golden-urls.ts';
import { model } from './open-model.ts';

// A new model changes these numbers: look at the difference, then `bun test --update-snapshots test/lexical`.
test('the log-odds of the pinned URLs are those that were reviewed', () => {
  const lines = goldenUrls.map((url) => {
    const logOdds = scoreUrl(model, targetOf(url)).reduce((sum, term) => sum + term.logOdds, 0);
    return `${logOdds.toFixed(3).padStart(8)}  ${url}`;
  });
  expect(lines.join('\n')).toMatchSnapshot();
});
