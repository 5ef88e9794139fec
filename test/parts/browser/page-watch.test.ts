import { expect, test } from 'bun:test';
import type { CdpEvent } from '#src/parts/browser/cdp/cdp-session.ts';
import { MAX_HOPS, settleWhenDone, watchPage } from '#src/parts/browser/visit/page-watch.ts';

const asked = (url: string, more: object = {}): CdpEvent => ({
  method: 'Network.requestWillBeSent',
  params: { requestId: url, loaderId: 'L', frameId: 'main', type: 'Document', request: { url }, ...more },
});
const answered = (url: string, status: number, headers = {}): CdpEvent => ({
  method: 'Network.responseReceived',
  params: { requestId: url, frameId: 'main', type: 'Document', response: { url, status, headers } },
});
const moved = (reason: string): CdpEvent => ({
  method: 'Page.frameRequestedNavigation',
  params: { frameId: 'main', reason, url: '' },
});
const loaded: CdpEvent = { method: 'Page.loadEventFired', params: {} };
const finished = (requestId: string): CdpEvent => ({ method: 'Network.loadingFinished', params: { requestId } });

function watching(...events: CdpEvent[]) {
  const watch = watchPage('main');
  for (const event of events) watch.take(event);
  return watch;
}

test('each navigation is a step: by status, refresh, form and script', () => {
  const redirect = (url: string, status: number) => ({ redirectResponse: { url, status, headers: {} } });
  const watch = watching(
    asked('http://a.test/'),
    asked('http://b.test/', redirect('http://a.test/', 302)),
    answered('http://b.test/', 200),
    moved('metaTagRefresh'),
    asked('http://c.test/'),
    answered('http://c.test/', 200),
    moved('formSubmissionPost'),
    asked('http://d.test/'),
    answered('http://d.test/', 500, { 'Content-Type': 'text/html' }),
    asked('http://e.test/'),
    answered('http://e.test/', 200, { 'X-Frame-Options': 'DENY' }),
  );
  expect(watch.hops.map(({ url, status, location, how }) => [url, status, location, how])).toEqual([
    ['http://a.test/', 302, 'http://b.test/', 'http'],
    ['http://b.test/', 200, 'http://c.test/', 'refresh'],
    ['http://c.test/', 200, 'http://d.test/', 'form'],
    ['http://d.test/', 500, 'http://e.test/', 'script'],
  ]);
  expect(watch.current).toEqual({ url: 'http://e.test/', status: 200, headers: { 'x-frame-options': 'DENY' } });
});

test('frames, files and URLs that are not of the web are no steps', () => {
  const watch = watching(
    asked('http://a.test/'),
    asked('http://f.test/', { frameId: 'inner' }),
    asked('http://a.test/x.js', { type: 'Script' }),
    asked('data:text/html,x'),
    asked('file:///etc/passwd'),
  );
  expect(watch.hops).toEqual([]);
  expect([...watch.frameUrls]).toEqual(['http://f.test/']);
  expect(watch.requests).toBe(5);
});

test('a page is quiet once it has loaded and no request is left, until it moves on', () => {
  const watch = watching(asked('http://a.test/'), asked('http://a.test/x.js', { type: 'Script' }), loaded);
  expect([watch.hasLoaded, watch.isQuiet]).toEqual([true, false]);
  for (const url of ['http://a.test/', 'http://a.test/x.js']) watch.take(finished(url));
  expect(watch.isQuiet).toBe(true);
  watch.take(asked('http://b.test/'));
  expect([watch.hasLoaded, watch.isQuiet]).toEqual([false, false]);
});

test('steps are bounded', () => {
  const watch = watching(...Array.from({ length: 3 * MAX_HOPS }, (_, at) => asked(`http://a.test/${at}`)));
  expect(watch.hops.length).toBe(MAX_HOPS);
});

test('a quiet page has its timers run ahead once, and is done unless it goes on meanwhile', async () => {
  for (const goesOn of [false, true]) {
    const watch = watchPage('main');
    const { promise, resolve } = Promise.withResolvers<void>();
    const acts: string[] = [];
    const onEvent = settleWhenDone(watch, {
      loaded: () => void acts.push('loaded'),
      async passTime() {
        acts.push('time');
        if (goesOn) take(asked('http://b.test/'));
      },
      done() {
        acts.push('done');
        resolve();
      },
    });
    const take = (...events: CdpEvent[]) => {
      for (const event of events) watch.take(event);
      onEvent();
    };
    take(asked('http://a.test/'), answered('http://a.test/', 200), finished('http://a.test/'), loaded);
    if (goesOn) {
      while (acts.length < 2) await new Promise(setImmediate);
      await Promise.resolve();
      take(answered('http://b.test/', 200), finished('http://b.test/'), loaded);
    }
    await promise;
    onEvent.cancel();
    expect(acts).toEqual(goesOn ? ['loaded', 'time', 'loaded', 'done'] : ['loaded', 'time', 'done']);
  }
});
