import { describe, expect, test } from 'bun:test';
import { linksInText } from '#src/engine/message/text/links-in-text.ts';
import { inputsOfMessage, inputsOfOperands } from '#src/interfaces/cli/check/check-input.ts';
import type { CheckOutcome } from '#src/interfaces/cli/check/check-one.ts';
import type { AskService, ServiceQuestion } from '#src/interfaces/cli/remote/ask-service.ts';
import { checkRemotely } from '#src/interfaces/cli/remote/check-at-service.ts';
import { sampleCheck } from '#test/support/sample-record.ts';

/** What comes of URLs at a service that has `room` for so many in each window, and how it was asked. */
async function checkedAt(urls: readonly string[], room: number, seconds = 30) {
  const questions: ServiceQuestion[] = [];
  const waits: number[] = [];
  let left = room;
  const busy = {
    type: 'urn:lurecheck:problem:rate_limited',
    title: 'Too Many Requests',
    status: 429,
    code: 'rate_limited',
    detail: 'Later.',
    retry_after_seconds: seconds,
  };
  const ask: AskService = (question) => {
    questions.push(question);
    return Promise.resolve(
      question.urls.map((url) => (left-- > 0 ? { result: sampleCheck({ url }).result } : { problem: busy })),
    );
  };
  const wait = (waited: number) => {
    waits.push(waited);
    left = room;
    return Promise.resolve();
  };
  async function* batches() {
    yield inputsOfOperands(urls, null);
  }
  const outcomes = await Array.fromAsync(checkRemotely(batches(), { ask, isPrivate: false, wait }));
  return { outcomes, questions, waits };
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `https://host${n}.example/`);

const told = (outcome: CheckOutcome) => ('problem' in outcome ? outcome.problem.code : outcome.result.url);

describe('URLs for a service', () => {
  test('are sent in requests of 100, and their results are returned in order', async () => {
    const { outcomes, questions, waits } = await checkedAt(numbered(250), Number.POSITIVE_INFINITY);
    expect(outcomes.map(told)).toEqual(numbered(250));
    expect([questions.map(({ urls }) => urls.length), waits]).toEqual([[100, 100, 50], []]);
  });

  test('are sent again if the service limited them, without those that have a result', async () => {
    const { outcomes, questions, waits } = await checkedAt(numbered(120), 40);
    expect(outcomes.map(told)).toEqual(numbered(120));
    expect(questions.map(({ urls }) => urls.length)).toEqual([100, 60, 20, 20]);
    expect(waits).toEqual([30, 30]);
  });

  test('are checked privately if they may be half of a link in a message', async () => {
    const questions: ServiceQuestion[] = [];
    const ask: AskService = (question) => {
      questions.push(question);
      return Promise.resolve(question.urls.map((url) => ({ result: sampleCheck({ url }).result })));
    };
    async function* batches() {
      yield inputsOfMessage({ ...linksInText('https://a.example/?a=\nb https://c.example/'), isWhole: true });
    }
    const remote = { ask, isPrivate: false, wait: () => Promise.resolve() };
    const outcomes = await Array.fromAsync(checkRemotely(batches(), remote));
    expect(outcomes.map(told)).toEqual(['https://a.example/?a=', 'https://a.example/?a=b', 'https://c.example/']);
    expect(questions.map(({ isPrivate, urls }) => [isPrivate, urls.length])).toEqual([
      [true, 1],
      [false, 2],
    ]);
  });

  test('are each returned with a problem after repeated waits without progress', async () => {
    const { outcomes, questions, waits } = await checkedAt(numbered(3), 0);
    expect(outcomes.map(told)).toEqual(['rate_limited', 'rate_limited', 'rate_limited']);
    expect([questions.length, waits.length]).toEqual([6, 5]);
  });

  test('are not sent again if the service requests a very long wait', async () => {
    const { outcomes, questions, waits } = await checkedAt(numbered(3), 2, 3600);
    expect(outcomes.map(told)).toEqual(['https://host0.example/', 'https://host1.example/', 'rate_limited']);
    expect([questions.length, waits]).toEqual([1, []]);
  });

  test('fit into a request, even if they are very long', async () => {
    const urls = Array.from({ length: 100 }, (_, n) => `https://${n}.example/${'€'.repeat(8000)}`);
    const { outcomes, questions } = await checkedAt(urls, Number.POSITIVE_INFINITY);
    expect(outcomes.map(told)).toEqual(urls);
    for (const { urls: sent } of questions) expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(850 * 1024);
  });

  test('are read in defanged form, and invalid URLs are not sent', async () => {
    const { outcomes, questions } = await checkedAt(['hxxps://one[.]example/', 'no url', 'two.example'], 9);
    expect(outcomes.map(told)).toEqual(['hxxps://one[.]example/', 'invalid_url', 'two.example']);
    expect(questions.map(({ urls }) => urls)).toEqual([['https://one.example/', 'http://two.example']]);
  });
});
