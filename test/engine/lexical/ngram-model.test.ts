import { expect, test } from 'bun:test';
import { createNgramScores, scoreNgrams } from '#src/engine/lexical/ngram-model.ts';
import { partsOf } from '#src/engine/lexical/url-parts.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { targetOf } from '#test/support/target.ts';
import { model } from './open-model.ts';

function pathAlone(url: string): number {
  const scores = createNgramScores();
  scoreNgrams(model, partsOf(targetOf(url), knowledge), scores);
  return scores.pathAlone;
}

const HOSTS = ['green-bakery.de', 'secure-login.example.top', 'www.example.com', '192.0.2.7'];

test('the score of a path does not depend on its host', () => {
  for (const path of ['/wp-content/secure/login.php', '/news/2024/05/garden', '/?id=7&cmd=login']) {
    expect(new Set(HOSTS.map((host) => pathAlone(`https://${host}${path}`))).size).toBe(1);
  }
});

test('a path of a phishing kit scores higher than one of a magazine, and a bare host scores 0', () => {
  const [host = ''] = HOSTS;
  expect(pathAlone(`https://${host}/wp-content/secure/login.php`)).toBeGreaterThan(
    pathAlone(`https://${host}/news/2024/05/garden`) + 1,
  );
  expect(pathAlone(`https://${host}/`)).toBe(0);
});
