import { describe, expect, test } from 'bun:test';
import { echoMask, keepOrigin } from '#src/checks/record/redact/redact-result.ts';

/** A text in which the secrets of a check of `example.com` are masked. */
function masked(text: string, ...secrets: readonly string[]): string {
  const mask = echoMask(new Set(secrets), 'example.com');
  return mask?.mayChange(text) ? mask.change(text) : text;
}

describe('a secret that a page repeats', () => {
  test.each([
    ['as it was written', 'hunter2-4711', 'Hello hunter2-4711!', 'Hello ***!'],
    ['in other case', 'Hunter2-4711', 'HUNTER2-4711', '***'],
    ['twice', 'hunter2-4711', 'hunter2-4711, hunter2-4711', '***, ***'],
    ['unescaped', 'h%C3%BCtte%2047', 'Die Hütte 47', 'Die ***'],
    ['as a form writes it', 'correct+horse', 'Your correct horse', 'Your ***'],
    ['in part', 'session-4f1c9a0e', 'No. 4f1c9a0e', 'No. ***'],
    ['in a part of six characters', 'abc-a1b2c3', 'a1b2c3', '***'],
    ['by its mailbox', 'jane@mail.example', 'Welcome, Jane', 'Welcome, ***'],
    ['by the mailbox before the first @', 'jane@mail@mail.example', 'Welcome, Jane', 'Welcome, ***'],
    ['in the path of a URL', 'hunter2', 'https://a.example/hunter2?x=hunter2', 'https://a.example/***?x=***'],
    ['beside one that it begins with', 'hunter2', 'hunter2-4711', '***'],
    ['with what a pattern would take for its own', 'a.b*c(d', 'axb*c(d a.b*c(d', 'axb*c(d ***'],
  ])('is masked %s', (_, secret, text, shown) => {
    expect(masked(text, secret, ...(secret === 'hunter2' ? ['hunter2-4711'] : []))).toBe(shown);
  });

  test.each([
    ['of three letters', 'abc', 'the abc of phishing'],
    ['whose part is a word', 'hunter-summer', 'summer holidays'],
    ['whose part is short', 'x-a1b2', 'a1b2'],
    ['without a mailbox', 'hunter2-4711', 'hunter'],
    ['that is the host itself', 'example', 'An example of https://other.example/example'],
  ])('is not masked if it is one %s', (_, secret, text) => {
    expect(masked(text, secret)).toBe(text);
  });

  test('is not masked in the scheme, user and host of a URL, so that it remains a URL', () => {
    expect(masked('https://hunter2@hunter2.example/hunter2', 'hunter2')).toBe('https://hunter2@hunter2.example/***');
    expect(masked('see https://hunter2.example/', 'hunter2')).toBe('see https://***.example/');
  });

  test('is ignored if it is too short or part of the host', () => {
    expect(echoMask(new Set(['abc', '47']), 'example.com')).toBeNull();
    expect(echoMask(new Set(['example']), 'example.com')).toBeNull();
  });

  test('is masked if a title has spaces in its place, and if a text is truncated within it', () => {
    expect(masked('Erika Mustermann - account', 'erika-mustermann')).toBe('*** - account');
    expect(masked('see 9f86d0818', '9f86d081884c7d65')).toBe('see ***');
    expect(masked('see 9f86d08', '9f86d081884c7d65')).toBe('see 9f86d08');
    expect(masked('see 9f86d0818 here', '9f86d081884c7d65')).toBe('see 9f86d0818 here');
  });

  test('is masked up to the maximum length of a text', () => {
    const smileys = (count: number) => encodeURIComponent('\u{1f600}'.repeat(count));
    expect(masked('\u{1f600}'.repeat(256), smileys(256))).toBe('***');
    expect(echoMask(new Set([smileys(257)]), 'example.com')).toBeNull();
  });
});

describe('too many secrets', () => {
  const secrets = Array.from({ length: 33 }, (_, i) => `se-${10 + i}`);

  test('mask every text completely, except for the origin of a URL', () => {
    expect(masked('a word', ...secrets.slice(1))).toBe('a word');
    expect(masked('a word', ...secrets)).toBe('***');
    expect(masked('https://a.example:8080/a?b#c', ...secrets)).toBe('https://a.example:8080/***');
    expect(masked('see https://a.example/', ...secrets)).toBe('***');
  });

  test('include a single secret that splits into too many parts', () => {
    const pieces = Array.from({ length: 40 }, (_, i) => `piece${10 + i}`).join('-');
    expect(masked('a word', pieces)).toBe('***');
  });
});

test('text that is not a URL is masked completely, and a URL except for its origin', () => {
  expect(keepOrigin('a word')).toBe('***');
  expect(keepOrigin('HTTPS://jane@a.example/b')).toBe('HTTPS://jane@a.example/***');
});
