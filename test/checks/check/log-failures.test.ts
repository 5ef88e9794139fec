import { describe, expect, test } from 'bun:test';
import { readConfig } from '#src/app/config.ts';
import { openNetwork } from '#src/app/network.ts';
import { logFailures } from '#src/checks/check/check.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { FAILURES } from '#src/core/base/failure.ts';
import { createLogger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { PATIENCE } from '#test/network/egress/loopback.ts';
import { startInternet } from '#test/support/internet.ts';
import { PATIENT_SECONDS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';

const DEFAULTS = readConfig({ flags: {}, environment: {}, file: null }).values;
const sentTo = (name: string) => ({
  answer: (_: string, url: (name: string, path: string) => string) => ({
    status: 302,
    headers: { Location: url(name, '/?secret=abc') },
  }),
});
const SITES = {
  'shop.example': { registration: null },
  'lan.example': { zone: { a: ['10.0.0.1'] } },
  'moved.example': sentTo('lan.example'),
  'short.example': sentTo('shop.example'),
};
const DENIED = { code: 'egress_denied_name', detail: 'private: lan.example resolves to 10.0.0.1' };

/** Events logged for a check of one of the sites. */
async function eventsOf(name: string, visibility: Visibility): Promise<unknown[]> {
  await using internet = await startInternet(SITES);
  const lines: string[] = [];
  const logger = createLogger('debug', (line) => lines.push(line));
  await using network = openNetwork(
    { ...DEFAULTS, ...PATIENCE, ...internet.egress, ...internet.registries, deadline_seconds: PATIENT_SECONDS },
    {
      lists: { block: [], allow: [], stored: [] },
      authorities: [internet.authority.pem],
      self: [],
      readPage: async (bytes, source) => readPage(bytes, source),
      serverTables: () => [],
      clock: systemClock,
      logger,
    },
  );
  const target = targetOf(internet.url(name, '/?secret=abc'));
  const seen = await network.observe({ target, client: null }, network.compartments[visibility]);
  expect(lines).toEqual([]);
  logFailures(logger, { requestId: 'an id', visibility }, seen);
  expect(lines.join()).not.toContain('secret');
  return lines.map((line) => JSON.parse(line)).map(({ time: _, ...event }) => event);
}

const event = { level: 'debug', event: 'probe.failed', request_id: 'an id' };

describe('a failed probe', () => {
  test('is logged with code, detail and host', async () => {
    const unknown = { code: 'registration_not_found', detail: FAILURES.registration_not_found };
    expect(await eventsOf('shop.example', 'public')).toEqual([
      { ...event, probe: 'registration', at: 'target', ...unknown },
    ]);
    expect(await eventsOf('short.example', 'public')).toEqual([
      { ...event, probe: 'registration', at: 'landing', ...unknown },
    ]);
    expect(await eventsOf('lan.example', 'public')).toEqual(
      ['dns', 'certificate', 'page'].map((probe) => ({ ...event, probe, at: 'target', ...DENIED })),
    );
  });

  test('is also logged if a visit was stopped after a redirect', async () => {
    expect(await eventsOf('moved.example', 'public')).toEqual([{ ...event, probe: 'page', at: 'target', ...DENIED }]);
  });

  test('is logged without detail if the check is private', async () => {
    const { code } = DENIED;
    expect(await eventsOf('lan.example', 'private')).toEqual(
      ['dns', 'certificate', 'page'].map((probe) => ({ ...event, probe, at: 'target', code })),
    );
    expect(await eventsOf('moved.example', 'private')).toEqual([{ ...event, probe: 'page', at: 'target', code }]);
  });
});
