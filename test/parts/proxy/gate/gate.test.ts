import { describe, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { createHeldRequests } from '#src/parts/proxy/gate/expiring-memory.ts';
import type { DeepFinding } from '#src/parts/proxy/gate/gate.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { namedLists, openTestGate } from './open-test-gate.ts';

/** Held by its spelling; doubtful; ordinary. */
const SURE = 'http://microsoft.com.login-verify.top/';
const DOUBTFUL = 'http://secure-login.account-update.xyz/';
const PLAIN = 'http://plain-words.com/';
const BLOCKED = 'http://listed.example.com/';
const ALLOWED = 'http://ours.microsoft.com.login-verify.top/';

const LISTS = namedLists({ block: 'listed.example.com', allow: 'ours.microsoft.com.login-verify.top' });

const bad: DeepFinding = {
  decision: 'block',
  probability: 0.999,
  observations: skippedObservations('disabled', { state: 'skipped', reason: 'disabled' }),
};
const nextTurn = () => new Promise(setImmediate);

describe('the rules of the gate', () => {
  const { said } = openTestGate({ lists: LISTS, own: ['firma.com'] });
  test.each([
    ['no URL', null, {}, 'pass unreadable'],
    ['another scheme', 'ftp://a.example.com/', {}, 'pass unreadable'],
    ['8,193 characters', `http://a.example.com/${'a'.repeat(8172)}`, {}, 'pass unreadable'],
    ['a list that blocks', BLOCKED, {}, 'hold list-blocks'],
    ['a list that blocks, for a picture', `${BLOCKED}x.png`, { isNavigation: false }, 'hold list-blocks'],
    [
      'a list that blocks what the link wraps',
      `https://l.facebook.com/l.php?u=${encodeURIComponent(BLOCKED)}`,
      {},
      'hold list-blocks',
    ],
    ['a list that allows', ALLOWED, {}, 'pass list-allows'],
    ['an address inside', 'http://10.1.2.3/login.php', {}, 'pass inner'],
    ['an IPv6 address inside', 'http://[fd00::1]/login.php', {}, 'pass inner'],
    ['a name without a public suffix', 'https://login.microsoftonline.firma.local/', {}, 'pass inner'],
    ['a name of one label', 'https://intranet/', {}, 'pass inner'],
    ['a domain of a configured brand', 'https://microsoft.com.login-verify.firma.com/', {}, 'pass inner'],
    ['the spelling', SURE, {}, 'hold spelling'],
    ['the spelling of a part of a page', SURE, { isNavigation: false }, 'pass passed'],
    ['a doubtful spelling', DOUBTFUL, {}, 'pass doubtful'],
    ['an ordinary link', PLAIN, {}, 'pass passed'],
    ['the canary that is blocked', 'http://block.lurecheck.test/', { isNavigation: false }, 'hold list-blocks'],
    ['the canary that is allowed', 'http://allow.lurecheck.test/', {}, 'pass list-allows'],
  ])('%s', (_, url, more, expected) => {
    expect(said(url, more)).toBe(expected);
  });
});

test('a block list of the settings overrides an allow list of the settings, as in a check', () => {
  const lists = namedLists({ block: 'a.example.com', allow: 'http://a.example.com/docs' });
  expect(openTestGate({ lists }).said('http://a.example.com/docs/x')).toBe('hold list-blocks');
});

test('mode watch has the same decisions but passes every request', () => {
  const { ask, records, outcomes } = openTestGate({ mode: 'watch', lists: LISTS });
  expect(ask(SURE)).toMatchObject({ isHeld: false, wouldHold: true, rule: 'spelling' });
  expect(ask(BLOCKED)).toMatchObject({ isHeld: false, wouldHold: true, rule: 'list-blocks' });
  expect(records.map(({ isHeld }) => isHeld)).toEqual([false, false]);
  expect(outcomes).toEqual(['would_hold', 'would_hold']);
});

describe('records', () => {
  test('exist once per client and URL within an hour', () => {
    const { ask, records, clock } = openTestGate();
    const [first, second] = [ask(SURE), ask(SURE)];
    expect(first.requestId).not.toBeNull();
    expect(second.requestId).toBe(first.requestId);
    ask(SURE, { client: '192.0.2.2' });
    expect(records).toHaveLength(2);
    clock.nowMs += HOUR_MS;
    ask(SURE);
    expect(records).toHaveLength(3);
  });

  test('do not exist for passed requests, nor for a test that no proxy passed on', () => {
    const { ask, records } = openTestGate({ lists: LISTS });
    for (const url of [PLAIN, DOUBTFUL, ALLOWED, 'http://10.1.2.3/login.php']) ask(url);
    ask('http://block.lurecheck.test/', { client: null });
    expect(records).toEqual([]);
  });

  test('show a test through the proxy, which is held in watch mode as well', () => {
    const { ask, records } = openTestGate({ mode: 'watch' });
    expect(ask('http://block.lurecheck.test/')).toMatchObject({ isHeld: true, isCanary: true });
    expect(records).toMatchObject([{ isHeld: true, rule: 'list-blocks' }]);
  });

  test('have no user name unless the operator enables it', () => {
    const { ask, records } = openTestGate();
    ask(SURE, { user: 'anna' });
    expect(records[0]?.user).toBeNull();
  });

  test('are limited for 100,000 different URLs of one client', () => {
    const clock = createHeldClock();
    const requests = createHeldRequests(clock);
    const idOf = (at: number) => {
      // Ten seconds for each hundred.
      if (at % 100 === 0) clock.nowMs += 10_000;
      return requests.idFor('192.0.2.1', `http://listed.example.com/${at}`, () => `id ${at}`);
    };
    const ids = Array.from({ length: 100_000 }, (_, at) => idOf(at)).filter((id) => id !== null);
    // 10,000 seconds are two hours and three quarters.
    expect(ids).toHaveLength(300);
  });

  test('are limited per minute for many clients', () => {
    const clock = createHeldClock();
    const requests = createHeldRequests(clock);
    const idOf = (at: number) => requests.idFor(`client ${at}`, 'http://listed.example.com/', () => `id ${at}`);
    const count = () =>
      Array.from({ length: 1000 }, (_, at) => idOf(at + clock.nowMs)).filter((id) => id !== null).length;
    expect(count()).toBe(300);
    clock.nowMs += MINUTE_MS;
    expect(count()).toBe(300);
  });

  test('over the limit have no id, and their requests are still held', () => {
    const { ask } = openTestGate({ lists: LISTS });
    for (let at = 0; at < 100; at++) ask(`${BLOCKED}${at}`);
    expect(ask(`${BLOCKED}last`)).toMatchObject({ isHeld: true, requestId: null });
  });
});

describe('a deep lookup', () => {
  test('of a doubtful link can hold the next request', async () => {
    const asked: string[] = [];
    const { said, records } = openTestGate({
      async probeHost(target) {
        asked.push(target.url);
        return bad;
      },
    });
    expect(said(DOUBTFUL)).toBe('pass doubtful');
    await nextTurn();
    expect(said(DOUBTFUL, { isNavigation: false })).toBe('hold deep');
    expect(said(`${DOUBTFUL}other`)).toBe('pass doubtful');
    expect(asked).toEqual([DOUBTFUL]);
    expect(records[0]?.observations).toBe(bad.observations);
  });

  test('that only confirms the lexical score changes nothing', async () => {
    const { said } = openTestGate({ probeHost: async () => ({ ...bad, probability: 0.9 }) });
    expect(said(DOUBTFUL)).toBe('pass doubtful');
    await nextTurn();
    expect(said(DOUBTFUL)).toBe('pass doubtful');
  });

  test('that has another decision than block, or fails, changes nothing', async () => {
    for (const probeHost of [
      async () => ({ ...bad, decision: 'warn' as const }),
      () => Promise.reject(new Error('no')),
    ]) {
      const probed: string[] = [];
      const { said } = openTestGate({ probeHost, onProbed: (decision) => probed.push(decision) });
      expect(said(DOUBTFUL)).toBe('pass doubtful');
      await nextTurn();
      expect(said(DOUBTFUL)).toBe('pass doubtful');
      expect(probed).toHaveLength(1);
    }
  });

  test('expires after an hour', async () => {
    const { said, clock } = openTestGate({ probeHost: async () => bad });
    said(DOUBTFUL);
    await nextTurn();
    clock.nowMs += HOUR_MS;
    expect(said(DOUBTFUL)).toBe('pass doubtful');
  });

  test('is limited per minute, and clients take turns', async () => {
    const asked: string[] = [];
    const { ask, clock } = openTestGate({
      sure: 1,
      async probeHost(target, client) {
        asked.push(`${client} ${target.host.text.split('.')[0]}`);
        return bad;
      },
    });
    const hostOf = (client: string, at: number) =>
      `http://x${client}${at}.account-update.xyz/secure-login/verify/account`;
    for (let at = 0; at < 100; at++) ask(hostOf('a', at), { client: 'a' });
    expect(asked).toHaveLength(60);
    ask(hostOf('b', 0), { client: 'b' });
    clock.nowMs += (2 * MINUTE_MS) / 60;
    ask(hostOf('c', 0), { client: 'c' });
    expect(asked.slice(60)).toEqual(['a xa60', 'b xb0']);
  });
});

test('an override lets a client open a held site, but not a site on a block list', () => {
  const { said } = openTestGate({ lists: LISTS });
  expect(said(SURE, { isOverridden: true })).toBe('pass override');
  expect(said(BLOCKED, { isOverridden: true })).toBe('hold list-blocks');
});

describe('a gate that is behind', () => {
  test('still asks lists and memory, and skips the model alone', async () => {
    let isBehind = false;
    const { said, outcomes } = openTestGate({ lists: LISTS, isBehind: () => isBehind, probeHost: async () => bad });
    said(DOUBTFUL);
    await nextTurn();
    isBehind = true;
    const picture = { isNavigation: false };
    expect([BLOCKED, ALLOWED, 'http://10.1.2.3/', DOUBTFUL].map((url) => said(url))).toEqual([
      'hold list-blocks',
      'pass list-allows',
      'pass inner',
      'hold deep',
    ]);
    expect(said(`${BLOCKED}x.png`, picture)).toBe('hold list-blocks');
    expect(said(PLAIN, picture)).toBe('pass passed');
    expect(said(SURE)).toBe('pass late');
    expect(outcomes.at(-1)).toBe('late');
  });

  test('does not classify what only the spelling would hold', () => {
    const assess = () => {
      throw new Error('the model was asked');
    };
    expect(openTestGate({ lists: LISTS, isBehind: () => true, assess }).said(SURE)).toBe('pass late');
  });
});

describe('lists decide on the readable host of a URL that a check refuses', () => {
  const { said } = openTestGate({
    lists: namedLists({ block: 'listed.example.com\nhttp://path.example.com/login', allow: 'ok.example.com' }),
  });
  const long = 'a'.repeat(9000);
  test.each([
    ['a long query', `http://listed.example.com/?${long}`, 'hold list-blocks'],
    ['a long path', `https://listed.example.com/${long}`, 'hold list-blocks'],
    ['a long path below an entry', `http://path.example.com/login/${long}`, 'hold list-blocks'],
    ['a long user name', `http://${long}@listed.example.com/`, 'hold list-blocks'],
    ['a long fragment', `http://sub.listed.example.com#${long}`, 'hold list-blocks'],
    ['ftp', 'ftp://listed.example.com/x', 'hold list-blocks'],
    ['WebSocket', 'wss://LISTED.example.com./socket', 'hold list-blocks'],
    ['another scheme', 'gopher://listed.example.com:70/1', 'hold list-blocks'],
    ['a host that a list allows', `http://ok.example.com/?${long}`, 'pass list-allows'],
    ['another host in the query', `http://other.example.com/?http://listed.example.com/${long}`, 'pass unreadable'],
    ['another host in the path', `ftp://other.example.com/@listed.example.com/`, 'pass unreadable'],
    ['no host', 'mailto:a@listed.example.com', 'pass unreadable'],
    ['a host that is too long', `http://${long}.listed.example.com/`, 'pass unreadable'],
  ])('%s', (_, url, expected) => {
    expect(said(url)).toBe(expected);
  });

  test.each(['//login', '/login;x', '/login;jsessionid=1/next', '///login//', '/%6cogin;a;b'])(
    '%s is /login',
    (path) => {
      expect(said(`http://path.example.com${path}`)).toBe('hold list-blocks');
    },
  );

  test.each(['/logins', '/;/x', '//other/login'])('%s is not /login', (path) => {
    expect(said(`http://path.example.com${path}`)).not.toContain('list');
  });
});

test('passes a request whose classification throws, and logs no URL', () => {
  const { said, outcomes, logged } = openTestGate({
    assess: ({ url }) => {
      throw new Error(`cannot read ${url}`);
    },
  });
  expect(said(SURE)).toBe('pass failed');
  expect(said(SURE)).toBe('pass failed');
  expect(outcomes).toEqual(['failed', 'failed']);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('"gate.failed"');
  expect(logged[0]).not.toContain('login-verify');
});

test('applies changed lists at once', () => {
  let lists = namedLists({ block: 'listed.example.com' });
  const replaceable = {
    get block() {
      return lists.block;
    },
    get allow() {
      return lists.allow;
    },
    get stored() {
      return lists.stored;
    },
  };
  const { said } = openTestGate({ lists: replaceable, context: () => [lists] });
  expect(said(BLOCKED)).toBe('hold list-blocks');
  lists = namedLists({ allow: 'listed.example.com' });
  expect(said(BLOCKED)).toBe('pass list-allows');
});
