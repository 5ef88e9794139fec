import type { Visibility } from '#src/core/base/visibility.ts';
import type { Random } from '#test/support/random.ts';
import type { Ask } from './ask.ts';
import { numberIn } from './ledger.ts';
import type { Temper } from './sites.ts';

/** A request of the mixed load, but for who sends it. */
export interface MixedAsk extends Omit<Ask, 'from'> {
  /** Of a check: its number in the ledger. */
  readonly number?: number;
  /** Whether it must be refused, whatever the weather. */
  readonly isBad?: true;
}

/** What requests are made of. */
export interface MixParts {
  readonly random: Random;
  readonly open: (visibility: Visibility) => number;
  /** Sites to check, as URLs, by what they do to a check. */
  readonly urls: Readonly<Record<Temper, readonly string[]>>;
}

/** What a service meets, with how often of a hundred. */
const SHARES: readonly (readonly [share: number, make: (parts: MixParts) => MixedAsk])[] = [
  [44, (parts) => check(parts, parts.random.pick(parts.urls.honest))],
  [8, (parts) => check(parts, `http://gone-${parts.random.below(1e6)}.com/`)],
  [4, (parts) => check(parts, `http://198.18.${parts.random.below(256)}.${parts.random.below(256)}/`)],
  [12, (parts) => check(parts, parts.random.pick(parts.urls.hostile))],
  [2, (parts) => check(parts, parts.random.pick(parts.urls.heavy))],
  [3, (parts) => check(parts, parts.random.pick(parts.urls.slow))],
  [4, streamed],
  [6, (parts) => ({ ...check(parts, parts.random.pick(parts.urls.honest)), leaveAfterMs: parts.random.below(500) })],
  [2, () => UNFINISHED],
  [7, bad],
  [8, ({ random }) => ({ path: random.pick(READ) })],
];

/** A check that is never asked for to the end, and so has no number: in a log nobody would know it. */
const UNFINISHED: MixedAsk = {
  method: 'POST',
  path: '/api/check-url',
  body: '{"url":"http://unfinished.example/","private_mode":false}',
  isUnfinished: true,
  leaveAfterMs: 15_000,
};

const READ = [
  '/',
  '/readyz',
  '/api/history',
  '/api/history?limit=500',
  '/api/history?decision=block&domain=com',
  '/api/stats',
  '/swagger/json',
];

const TOTAL = SHARES.reduce((sum, [share]) => sum + share, 0);

/** The next request of the mixed load. */
export function nextOfMix(parts: MixParts): MixedAsk {
  let at = parts.random.next() * TOTAL;
  for (const [share, make] of SHARES) {
    at -= share;
    if (at < 0) return make(parts);
  }
  return { path: '/' };
}

const PRIVATE_SHARE = 0.4;

function check({ random, open }: MixParts, url: string, member: Readonly<Record<string, unknown>> = {}): MixedAsk {
  const visibility = random.next() < PRIVATE_SHARE ? 'private' : 'public';
  const number = open(visibility);
  const body = { url: url + numberIn(number), private_mode: visibility === 'private', ...member };
  return { method: 'POST', path: '/api/check-url', body: JSON.stringify(body), number };
}

function streamed(parts: MixParts): MixedAsk {
  const one = check(parts, parts.random.pick(parts.urls.honest));
  return { ...one, headers: { accept: 'text/event-stream' } };
}

/** Ways to be refused; none of them may leave a trace in a log. */
function bad(parts: MixParts): MixedAsk {
  const url = parts.random.pick(parts.urls.honest);
  const good = check(parts, url);
  const { body = '' } = good;
  const wrong = parts.random.pick<Partial<MixedAsk>>([
    { body: body.slice(0, -1) },
    { body: body.replace('{', '{"privateMode":true,') },
    { body: body.replace(/true|false/, '"true"') },
    { body: body.replace(/https?:/, 'ftp:') },
    { body: body.replace('{', `{"padding":"${'x'.repeat(40_000)}",`) },
    { headers: { 'content-type': 'text/plain' } },
    { headers: { host: 'rebound.example' } },
    { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
  ]);
  return { ...good, ...wrong, isBad: true };
}
