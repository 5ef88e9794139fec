import { expect, test } from 'bun:test';
import { type LimiterAnswer, rateLimitHeaders, rateLimitProblem } from '#src/service/server/limiter/rate-limit.ts';

const refused = (refusedBy: LimiterAnswer['refusedBy'], of: 'client' | 'network' = 'client'): LimiterAnswer => {
  return { refusedBy, nearest: { of, limit: 20 }, remaining: 0, freeInMs: 30_001 };
};

test('the headers contain the nearest limit, its remaining places, and whole seconds until a place is free', () => {
  expect(rateLimitHeaders({ ...refused(null), remaining: 12 })).toEqual({
    'ratelimit-policy': '"default";q=20;w=60',
    ratelimit: '"default";r=12;t=31',
  });
  expect(rateLimitHeaders(refused(null, 'network'))['ratelimit-policy']).toBe('"network";q=20;w=60');
  expect(rateLimitHeaders({ ...refused(null), nearest: null })).toEqual({});
});

test('a client over its limit gets the limit, the retry time, and the contact for a higher one', () => {
  const { code, detail, headers } = rateLimitProblem(refused('client'), 'ops@corp.example');
  expect([code, headers]).toEqual(['rate_limited', { 'retry-after': '31' }]);
  for (const part of ['20 checks', '31 s', 'ops@corp.example']) expect(detail).toContain(part);
  expect(rateLimitProblem(refused('client'), null).detail).not.toMatch(/network|write to|null/);
  expect(rateLimitProblem(refused('network', 'network'), null).detail).toContain('/48');
  expect(rateLimitProblem(refused('client'), null, 'pieces of feedback').detail).toContain('20 pieces of feedback');
});

test('at the ceiling of all clients the service reports overload, and does not name the client limit', () => {
  const { code, detail, headers } = rateLimitProblem(refused('ceiling'), 'ops@corp.example');
  expect([code, headers]).toEqual(['overloaded', { 'retry-after': '31' }]);
  expect(detail).not.toMatch(/20|ops@/);
});
