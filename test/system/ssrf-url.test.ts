import { beforeAll, describe, expect, test } from 'bun:test';
import { executable } from '#test/support/executable.ts';
import vectors from '#test/vectors/ssrf-url.json' with { type: 'json' };
import { runInNamespace } from './namespace.ts';

interface Answers {
  /** What the executable could not look at, one list a URL; null where it refused the URL. */
  readonly answers: readonly ({ component: string; reason: string }[] | null)[];
  /** Connections that reached this machine. */
  readonly dialled: string[];
  /** `name type transport` of each DNS query. */
  readonly asked: string[];
}

/** These stand for a policy that lists bad ports; ours lists the good ones, which is stricter. */
const CLOSED_PORT = /^http:\/\/example\.com:(?:445|6379|9200|11211|81|3000|5000|65535)\/$/;

describe('the executable, run for every URL of the vectors', () => {
  let given: Answers = { answers: [], dialled: [], asked: [] };
  beforeAll(async () => {
    const addresses = ['10.0.0.1', '192.168.1.1', '172.16.0.1', '169.254.169.254', '100.100.100.200', 'fd00:ec2::254'];
    given = (await runInNamespace('ssrf-url-inside.ts', { addresses, args: [await executable()] })) as Answers;
  });

  test('returns a result for each', () => {
    expect(given.answers.length).toBe(vectors.vectors.length);
  });

  test('refuses exactly the pages that the policy denies', () => {
    for (const [i, { id, input, verdict }] of vectors.vectors.entries()) {
      // The command line completes what a person may have typed without its scheme; the API refuses it.
      if (verdict === 'invalid') continue;
      const expected = CLOSED_PORT.test(input) ? 'deny' : verdict;
      const page = given.answers[i]?.find(({ component }) => component === 'page')?.reason;
      const refused = page === 'refused_by_policy';
      expect(`${id} ${refused}`).toBe(`${id} ${expected === 'deny'}`);
    }
  });

  test('connects to nothing on this host, and queries no denied name', () => {
    expect(given.dialled).toEqual([]);
    // Where only the port is refused, the records of the name are still worth knowing.
    const refusedNames = vectors.vectors
      .filter(({ verdict, why }) => verdict === 'deny' && why !== 'port')
      .map(({ host }) => String(host).replace(/\.$/, ''));
    const askedNames = given.asked.map((query) => query.split(' ')[0] ?? '');
    expect(askedNames.length).toBeGreaterThan(10);
    expect(askedNames.filter((name) => refusedNames.includes(name))).toEqual([]);
  });
});
