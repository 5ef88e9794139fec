import { expect, test } from 'bun:test';
import { createPeerClock } from '#src/app/peer-clock.ts';
import { HOUR_MS } from '#src/core/base/clock.ts';
import { createHeldClock } from '#test/support/held-clock.ts';

test('a clock that differs from that of a peer is reported until they agree, or for an hour', () => {
  const clock = createHeldClock();
  const peer = createPeerClock('a web proxy', clock);
  expect(peer.notices()).toEqual([]);
  peer.observe(clock.now() + 30_000);
  expect(peer.notices()).toEqual([]);
  peer.observe(clock.now() + 90_000);
  const behind = 'The clock of this host is 90 seconds behind that of a web proxy: synchronize both with NTP.';
  const args = { seconds: 90, peer: 'a web proxy' };
  expect(peer.notices()).toEqual([{ code: 'clock_differs', args, text: behind }]);
  peer.observe(Number.NaN);
  expect(peer.notices()).toHaveLength(1);
  peer.observe(clock.now() - 300_000);
  expect(peer.notices()[0]?.text).toContain('300 seconds ahead of that of a web proxy');
  peer.observe(clock.now() - 1000);
  expect(peer.notices()).toEqual([]);
  peer.observe(clock.now() - 300_000);
  clock.nowMs += HOUR_MS + 1;
  expect(peer.notices()).toEqual([]);
});
