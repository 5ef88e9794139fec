import { describe, expect, test } from 'bun:test';
import { systemClock } from '#src/core/base/clock.ts';
import { FAILURES } from '#src/core/base/failure.ts';
import { createLogger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { tellFailures } from '#src/checks/check/tell-failures.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { readConfig } from '#src/app/config.ts';
import { openNetwork } from '#src/app/network.ts';
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

/** What the operator is told of a check of one of the sites. */
async function toldOf(name: string, visibility: Visibility): Promise<unknown[]> {
  await using internet = await startInternet(SITES);
  const lines: string[] = [];
  const logger = createLogger('debug', (line) => lines.push(line));
  await using network = openNetwork(
    { ...DEFAULTS, ...PATIENCE, ...internet.egress, ...internet.registries, deadline_seconds: PATIENT_SECONDS },
    {
      lists: { block: [], allow: [], kept: [] },
      authorities: [internet.authority.pem],
      self: [],
      readPage: async (bytes, source) => readPage(bytes, source),
      clock: systemClock,
      logger,
    },
  );
  const target = targetOf(internet.url(name, '/?secret=abc'));
  const seen = await network.observe({ target, client: null }, network.compartments[visibility]);
  expect(lines).toEqual([]);
  tellFailures(logger, { requestId: 'an id', visibility }, seen);
  expect(lines.join()).not.toContain('secret');
  return lines.map((line) => JSON.parse(line)).map(({ time: _, ...event }) => event);
}

const event = { level: 'debug', event: 'probe.failed', request_id: 'an id' };

describe('a look that failed', () => {
  test('is told of with its code and its detail, and which host it was about', async () => {
    const unknown = { code: 'registration_not_found', detail: FAILURES.registration_not_found };
    expect(await toldOf('shop.example', 'public')).toEqual([
      { ...event, probe: 'registration', at: 'target', ...unknown },
    ]);
    expect(await toldOf('short.example', 'public')).toEqual([
      { ...event, probe: 'registration', at: 'landing', ...unknown },
    ]);
    expect(await toldOf('lan.example', 'public')).toEqual(
      ['dns', 'certificate', 'page'].map((probe) => ({ ...event, probe, at: 'target', ...DENIED })),
    );
  });

  test('may be a visit that was stopped on its way, though it saw something', async () => {
    expect(await toldOf('moved.example', 'public')).toEqual([{ ...event, probe: 'page', at: 'target', ...DENIED }]);
  });

  test('is its code alone where the check is private', async () => {
    const { code } = DENIED;
    expect(await toldOf('lan.example', 'private')).toEqual(
      ['dns', 'certificate', 'page'].map((probe) => ({ ...event, probe, at: 'target', code })),
    );
    expect(await toldOf('moved.example', 'private')).toEqual([{ ...event, probe: 'page', at: 'target', code }]);
  });
});
