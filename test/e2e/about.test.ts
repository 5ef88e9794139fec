import { expect, test } from 'bun:test';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OLDEST_FACTS } from '#src/app/fact-ages.ts';
import { AboutSchema } from '#src/checks/record/about.ts';
import { VERSION } from '#src/core/base/version.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('the service reports its version, model and lists with their age, but no paths', async () => {
  await using directory = temporaryDirectory();
  const list = join(directory.path, 'blocked.txt');
  writeFileSync(list, 'evil.example\nhttps://a.example/b\n');
  utimesSync(list, 0, Date.UTC(2026, 0, 2) / 1000);
  await using service = await startService(directory.path, ['--block-list', list, '--retention-days', '30']);
  const text = await (await fetch(`${service.url}/api/about`)).text();
  const about = parseAs(AboutSchema, JSON.parse(text));
  const { analysis_details } = await service.result('https://example.com/');
  expect(about).toEqual({
    version: VERSION,
    model: { version: analysis_details.model_version, date: about.model.date },
    oldest_facts: OLDEST_FACTS,
    network: 'none',
    checks_per_minute: null,
    contact: null,
    lists: [{ name: 'blocked.txt', action: 'block', entries: 2, changed_at: '2026-01-02T00:00:00.000Z' }],
    packs: [],
    retention: { days: 30, bytes: 2_000_000_000, rows: null },
    needs_first_key: true,
    license: 'Apache-2.0',
    result_key: about.result_key,
  });
  expect(text).not.toContain(directory.path);
});
