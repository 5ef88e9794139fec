import { expect, test } from 'bun:test';
import { SETTINGS } from '#src/app/config.ts';
import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { startInternet } from '#test/support/internet.ts';
import { targetOf } from '#test/support/target.ts';

const MIB = 1024 * 1024;
const LONG_PAGE = `<title>Sign in</title><p>${'lorem ipsum '.repeat((3 * MIB) / 12)}<form><input type=password>`;

test.each([
  ['the default', 2 * MIB, 0],
  ['more than the page', 4 * MIB, 1],
])('a page of 3 MiB is classified up to body_bytes: %s', async (_, bodyBytes, forms) => {
  await using internet = await startInternet({
    'long.example': { scheme: 'http', answer: () => ({ body: LONG_PAGE }) },
  });
  // Time is not what this is about.
  const config = { ...defaultsOf(SETTINGS), ...internet.egress, body_bytes: bodyBytes, html_timeout_seconds: 50 };
  await using engine = await openEngine(config, { store: STORE_NONE, logger: createLogger('error', () => {}) });
  const result = await engine.check.check({
    target: targetOf(internet.url('long.example')),
    visibility: 'private',
    client: 'test',
    requestId: '018f4a5e-0000-7000-8000-000000000000',
    via: 'api',
    startedAtMs: 0,
  });
  expect(result.analysis_details.page?.forms.length).toBe(forms);
});
