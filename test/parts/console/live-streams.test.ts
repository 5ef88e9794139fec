import { expect, test } from 'bun:test';
import type { LiveCheck, LiveMail } from '#src/checks/record/activity.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { createLiveStreams, type LiveAsker } from '#src/parts/console/activity-routes.ts';

type Watcher = Parameters<Parameters<typeof createLiveStreams>[0]>[0];

const CHECK: LiveCheck = {
  ...{ visibility: 'public', request_id: '0199f0a4-7d00-7000-8000-000000000001', url: 'https://one.example/' },
  ...{ malicious_probability: 0.1, decision: 'allow', coverage: null, caution: null, via: 'api', decided_by: null },
  ...{ reasons: [], model_version: 'test', timestamp: '2026-01-31T12:00:00.000Z' },
};

function openStreams(stopping = new AbortController().signal, beatMs?: number) {
  const watchers = new Set<Watcher>();
  const streams = createLiveStreams(
    (watcher) => {
      watchers.add(watcher);
      return { [Symbol.dispose]: () => void watchers.delete(watcher) };
    },
    stopping,
    beatMs,
  );
  const log = (visibility: Visibility) => {
    for (const watcher of watchers) watcher('check', visibility, () => ({ ...CHECK, visibility }));
  };
  const showMail = (mail: LiveMail) => {
    for (const watcher of watchers) watcher('mail', mail.visibility, () => mail);
  };
  const open = (asker: Partial<LiveAsker> = {}) =>
    streams.open({ holder: 'key desk', logs: ['public', 'private'], mayGoOn: () => true, ...asker });
  return { watchers, log, showMail, open };
}

/** Reads events until the stream ends, or there are so many. */
async function eventsOf(response: Response | null, enough = Number.POSITIVE_INFINITY): Promise<string[]> {
  const events: string[] = [];
  for await (const chunk of response?.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    events.push(...Array.from(chunk.matchAll(/^event: (\w+)\ndata: (.*)$/gm), ([, name, data]) => `${name} ${data}`));
    if (events.length >= enough) break;
  }
  return events;
}

test('a view shows the logs that it may, and nothing is watched once it is left', async () => {
  const { watchers, log, open } = openStreams();
  expect(watchers.size).toBe(0);
  const view = open({ logs: ['public'] });
  log('private');
  log('public');
  const [opened, check] = await eventsOf(view, 2);
  expect([opened, JSON.parse(check?.slice('check '.length) ?? '')]).toEqual(['open {}', CHECK]);
  expect(watchers.size).toBe(0);
});

test('a view shows the verdicts on mails in the logs that it may', async () => {
  const { showMail, open } = openStreams();
  const mail: LiveMail = {
    ...{ request_id: CHECK.request_id, timestamp: CHECK.timestamp, decision: 'warn', malicious_probability: 0.6 },
    ...{ visibility: 'public', caution: false, reasons: ['sender.brand_in_name'], link_count: 2 },
  };
  const view = open({ logs: ['public'] });
  showMail({ ...mail, visibility: 'private' });
  showMail(mail);
  expect(await eventsOf(view, 2)).toEqual(['open {}', `mail ${JSON.stringify(mail)}`]);
});

test('a view ends before the next check once its session has ended, and with the service', async () => {
  const stop = new AbortController();
  const { watchers, log, open } = openStreams(stop.signal);
  const session = { holds: true };
  const [revoked, stays] = [open({ mayGoOn: () => session.holds }), open()];
  session.holds = false;
  log('private');
  expect(await eventsOf(revoked)).toEqual(['open {}']);
  stop.abort();
  expect((await eventsOf(stays)).length).toBe(2);
  expect([watchers.size, open()]).toEqual([0, null]);
});

test('a key has four views at most, all together 64', async () => {
  const stop = new AbortController();
  const { open } = openStreams(stop.signal);
  const own = Array.from({ length: 5 }, () => open());
  expect(own.map((view) => view !== null)).toEqual([true, true, true, true, false]);
  const others = Array.from({ length: 61 }, (_, i) => open({ holder: `key ${Math.floor(i / 4)}` }));
  expect(others.filter((view) => view !== null)).toHaveLength(60);
  await own[0]?.body?.cancel();
  expect(open()).not.toBeNull();
  stop.abort();
});

test('a slow client holds a bounded number of events, and learns how many checks it missed', async () => {
  const { log, open } = openStreams(undefined, 1);
  const view = open();
  for (let i = 0; i < 100_000; i++) log('public');
  const events = await eventsOf(view, 22);
  expect(events.filter((event) => event.startsWith('check'))).toHaveLength(20);
  expect(events.at(-1)).toBe('skipped {"checks":99980}');
});

test('a view that shows one check less says so', async () => {
  const { log, open } = openStreams(undefined, 1);
  const view = open();
  for (let i = 0; i < 21; i++) log('public');
  expect((await eventsOf(view, 22)).at(-1)).toBe('skipped {"checks":1}');
});

test('100 events wait for a client, with those of as many seconds as it takes', async () => {
  let beat = () => {};
  const { log, open } = openStreams(undefined, 1);
  const view = open({
    mayGoOn() {
      beat();
      return true;
    },
  });
  for (let second = 0; second < 6; second++) {
    for (let i = 0; i < 20; i++) log('public');
    await new Promise<void>((resolve) => {
      beat = resolve;
    });
  }
  const events = await eventsOf(view, 101);
  expect([events.length, events.at(-1)]).toEqual([101, 'skipped {"checks":21}']);
});

test.each([
  [15, 'event: open\ndata: {}\n\n'],
  [16, 'event: open\ndata: {}\n\n: \n\n'],
  [30, 'event: open\ndata: {}\n\n: \n\n'],
  [31, 'event: open\ndata: {}\n\n: \n\n: \n\n'],
])('a quiet view whose session is verified %p times has sent %p', async (times, text) => {
  let looks = 0;
  // Once for the first event, then each second.
  const view = openStreams(undefined, 1).open({ mayGoOn: () => ++looks <= times });
  expect(await view?.text()).toBe(text);
});
