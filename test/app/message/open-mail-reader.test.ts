import { expect, test } from 'bun:test';
import { openMailReader } from '#src/app/message/open-mail-reader.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('a mail of which nothing could be read in time is refused, not classified', async () => {
  const engine = { scoringContext: unused, assess: unused, lists: { snapshot: unused } };
  const running = {
    auth_results_from: [],
    own_people: [],
    sender_memory_days: 0,
    message_warn_threshold: null,
    message_block_threshold: null,
  };
  await using directory = temporaryDirectory();
  const logger = { warn: unused };
  await using reader = openMailReader(engine as never, () => ({ ...running, data_dir: directory.path }), {
    key: unused,
    logger,
  });
  const read = reader.readMail(new TextEncoder().encode('From: a@b.example\r\n\r\nHi'), AbortSignal.abort());
  const error = await read.then(unused, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({ code: 'unexamined', retryAfterSeconds: 10 });
});

function unused(): never {
  throw new Error('not used');
}
