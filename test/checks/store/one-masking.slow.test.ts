import { expect, test } from 'bun:test';
import { recordCheck } from '#src/checks/record/check-record.ts';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { ORDINARY_URLS } from '#test/checks/record/ordinary-urls.ts';
import { PASSWORD_URLS, readSecretUrl, SECRET_URLS } from '#test/checks/record/secret-urls.ts';
import { URLS } from '#test/slow/slow-url.ts';
import { createRandom } from '#test/support/random.ts';
import { sampleCheck } from '#test/support/sample-record.ts';
import { targetOf } from '#test/support/target.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';

const BEGAN = Date.UTC(2026, 0, 31);
const random = createRandom(20_261_122);
const piece = () => random.pick(URLS.pieces).replaceAll('№', String(random.below(99)));
const urls = [
  ...Object.values(ORDINARY_URLS).flat(),
  ...[...Object.values(SECRET_URLS), ...Object.values(PASSWORD_URLS)].flat().map((line) => readSecretUrl(line).url),
  ...Array.from(
    { length: 2000 },
    () => `http://a.example/?a=${Array.from({ length: 1 + random.below(8) }, piece).join('')}`,
  ),
];

test('the log, the printed line and the history contain the same masked URL, for thousands of URLs', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  for (const [i, url] of urls.entries()) {
    const target = targetOf(url);
    const { record } = recordCheck({ ...sampleCheck({ url, atMs: BEGAN + i }), host: target.host });
    await log.append(record);
    const [shown] = (await log.page({ ...EVERY_CHECK, limit: 1, cursor: null })).items;
    const kept = await log.find('public', record.result.request_id);
    expect([shown?.url, describeEvent(record)['url'], kept?.result.analysis_details?.normalized_url]).toEqual(
      Array(3).fill(record.result.analysis_details.normalized_url),
    );
  }
});
