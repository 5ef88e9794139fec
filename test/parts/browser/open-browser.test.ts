import { expect, test } from 'bun:test';
import { Registry } from 'prom-client';
import type { RendererFor } from '#src/app/engine.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { openBrowser } from '#src/parts/browser/open-browser.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { stubProgram } from './stub-program.ts';

test('visits are measured by status, and a failure is a condition and an event', async () => {
  await using folder = temporaryDirectory();
  await using egress = openLoopback([]);
  const events: string[] = [];
  const settings = {
    browser: await stubProgram(folder.path, 'fails'),
    browser_when: 'always' as const,
    ...{ browser_private: false, browser_pages: 1, user_agent: null },
  };
  const renderers: RendererFor[] = [];
  await using part = openBrowser({
    engine: {
      useRenderer: (of) => void renderers.push(of),
      denySelf() {},
      isPopular: () => false,
      scoringContext: () => ({ models: { configuredBrands: [] } }),
    },
    running: () => settings,
    pictures: null,
    logger: createLogger('info', (line) => events.push(line)),
  });
  const registry = new Registry();
  await part.measure?.(registry);
  const target = targetOf('http://shop.example/');
  const visit = visitOf(target, { contentLength: 0, document: null });
  const subject = {
    ...{ target, visit, egressClient: egress.client(), timeoutMs: PATIENT_MS, signal: new AbortController().signal },
    readPage: async (bytes: Uint8Array, source: Parameters<typeof readPage>[1]) => readPage(bytes, source),
  };
  const render = async (visibility: 'public' | 'private') =>
    (await renderers[0]?.({ client: 'a', visibility, target })(subject))?.report.status;
  expect([await render('public'), await render('private')]).toEqual(['error', 'disabled']);
  const measured = await registry.metrics();
  for (const line of [
    'lurecheck_browser_visits_total{status="error"} 1',
    'lurecheck_browser_visits_total{status="disabled"} 1',
    'lurecheck_browser_visit_seconds_count 1',
    'lurecheck_browser_refused_connections_total 0',
    'lurecheck_browser_restarts_total 0',
    'lurecheck_browser_running 0',
  ])
    expect(measured).toContain(`${line}\n`);
  expect(part.notices?.().map(({ code }) => code)).toEqual(['browser_unavailable']);
  expect(events.filter((event) => event.includes('browser.failed')).length).toBe(1);
});
