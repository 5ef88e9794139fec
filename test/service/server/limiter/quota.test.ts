import { expect, test } from 'bun:test';
import { systemClock } from '#src/core/base/clock.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { createLimits, keyNameOf } from '#src/service/server/limiter/quota.ts';
import { SERVER_SETTINGS } from '#src/service/server/settings.ts';

const DEFAULTS = defaultsOf(SERVER_SETTINGS);
const NO_HEADERS = new Headers();

/** Limits of which requests of any number of clients are asked for at one moment. */
function startLimits(settings: Partial<typeof DEFAULTS>) {
  const limits = createLimits({ ...DEFAULTS, ...settings }, { ...systemClock, monotonicMs: () => 1000 });
  return {
    limits,
    change: (changed: Partial<typeof DEFAULTS>) => limits.change({ ...DEFAULTS, ...settings, ...changed }),
    async refusedBy(peer: string, admit: 'admit' | 'admitFeedback' = 'admit') {
      return (await limits[admit](peer, NO_HEADERS, null).admission).refusedBy;
    },
  };
}

test('a changed ceiling starts to count from zero, and an unchanged one keeps its count', async () => {
  const { change, refusedBy } = startLimits({ rate_limit_total: 2 });
  const admitted = async () => [
    await refusedBy('192.0.2.1'),
    await refusedBy('192.0.2.2'),
    await refusedBy('192.0.2.3'),
  ];
  expect(await admitted()).toEqual([null, null, 'ceiling']);
  change({ rate_limit: 30 });
  expect(await admitted()).toEqual(['ceiling', 'ceiling', 'ceiling']);
  change({ rate_limit_total: 1 });
  expect(await admitted()).toEqual([null, 'ceiling', 'ceiling']);
  change({ rate_limit_total: 0 });
  expect(await admitted()).toEqual([null, null, null]);
});

test('the used places of a client remain when its limit changes', async () => {
  const { change, refusedBy, limits } = startLimits({ rate_limit: 2, contact: 'a@b.example' });
  expect([await refusedBy('192.0.2.1'), await refusedBy('192.0.2.1'), await refusedBy('192.0.2.1')]).toEqual([
    null,
    null,
    'client',
  ]);
  change({ rate_limit: 3, contact: 'c@d.example' });
  expect([await refusedBy('192.0.2.1'), await refusedBy('192.0.2.1')]).toEqual([null, 'client']);
  expect([limits.contact, limits.limitOf('192.0.2.1', NO_HEADERS, null)]).toEqual(['c@d.example', 3]);
});

test('feedback is counted apart from checks, with ten times the limit for a network', async () => {
  const { refusedBy } = startLimits({ rate_limit: 1, rate_limit_network: 1, feedback_limit: 1 });
  const peers = Array.from({ length: 11 }, (_, at) => `2001:db8:1:${at}::1`);
  expect(await refusedBy(peers[0] ?? '')).toBeNull();
  expect(await refusedBy(peers[1] ?? '')).toBe('network');
  const given = [];
  for (const peer of peers) given.push(await refusedBy(peer, 'admitFeedback'));
  expect(given).toEqual([...Array.from({ length: 10 }, () => null), 'network']);
  expect(await refusedBy(peers[0] ?? '', 'admitFeedback')).toBe('client');
});

test('the holder of a key is one client at every address, identified by the key', async () => {
  const { limits } = startLimits({ rate_limit: 1 });
  const key = { name: 'gateway', secret_sha256: '', scopes: [], limit: 2, created_at: '', expires_at: null };
  const admit = async (peer: string) => {
    const { asker, admission } = limits.admit(peer, NO_HEADERS, key);
    return [keyNameOf(asker.key), (await admission).refusedBy];
  };
  expect(await admit('192.0.2.1')).toEqual(['gateway', null]);
  expect(await admit('192.0.2.2')).toEqual(['gateway', null]);
  expect(await admit('192.0.2.3')).toEqual(['gateway', 'client']);
  expect(keyNameOf('192.0.2.1')).toBeNull();
  expect(limits.limitOf('192.0.2.1', NO_HEADERS, { ...key, limit: null })).toBe(1);
});
