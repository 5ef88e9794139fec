import { expect, test } from 'bun:test';
import { EXPORT_FORMATS, exportWriter } from '#src/parts/export/export-format.ts';
import { entryOf } from './entries.ts';

/** What the one format that writes in groups holds at a time. */
const MOST_HELD = 10_000;

test.each(EXPORT_FORMATS)('%s is written while the checks are read', async (format) => {
  const { result, ...rest } = entryOf({ result: { decision: 'block', malicious_probability: 0.9 } });
  const write = await exportWriter(format);
  let read = 0;
  const entries = (async function* () {
    for (;;)
      yield {
        ...rest,
        result: { ...result, request_id: `019c13f7-9800-7a11-8b3c-${String(read++).padStart(12, '0')}` },
      };
  })();
  const pieces = write(entries, { visibility: 'public', source: 'box', selection: '' })[Symbol.asyncIterator]();
  expect((await pieces.next()).done).toBe(false);
  expect(read).toBeLessThanOrEqual(MOST_HELD);
  await pieces.return?.();
});
