import { expect, test } from 'bun:test';
import { messageReporter } from '#src/app/message/report-message.ts';
import { EXAMPLES } from '#src/service/server/docs/examples.ts';
import { openLog } from '#test/checks/store/open-log.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const { request_id, timestamp, malicious_probability } = EXAMPLES.messageAnswer;

function originOf(visibility: 'public' | 'private') {
  const leaving = new AbortController();
  return { leaving, origin: { via: 'page', visibility, client: 'a client', left: leaving.signal } as const };
}

test('a message is reported by its verdict, without anything of its content', async () => {
  const reported: object[] = [];
  const report = messageReporter(
    { messages: { append: () => Promise.resolve(), markUndelivered() {} } },
    (event) => reported.push(event),
    (mail) => reported.push(mail),
  );
  await report(EXAMPLES.messageAnswer, originOf('private').origin);
  const verdict = { request_id, decision: 'warn', malicious_probability, visibility: 'private' };
  const reasons = ['sender.brand_in_name', 'lure.account'];
  expect(reported).toMatchObject([
    {
      ...verdict,
      via: 'page',
      top_reason: 'sender.brand_in_name',
      reasons,
      blocked_links: 0,
      model_version: 'message-1',
    },
    { ...verdict, timestamp, reasons },
  ]);
  expect(JSON.stringify(reported)).not.toMatch(/paypal|mailer|example|limited/i);
});

test.each(['public', 'private'] as const)(
  'a message is stored in the %s log alone before it is reported, without anything of its content',
  async (visibility) => {
    await using directory = temporaryDirectory();
    await using log = await openLog(directory.path);
    const { origin, leaving } = originOf(visibility);
    let reported = 0;
    const report = messageReporter(
      log,
      () => reported++,
      () => reported++,
    );
    const stored = report(EXAMPLES.messageAnswer, origin);
    expect(reported).toBe(0);
    await stored;
    expect(reported).toBe(2);
    const { links, reasons, via: _, ...numbers } = { ...EXAMPLES.messageAnswer, via: null };
    const entry = await log.messages.find(visibility, request_id);
    expect(entry).toMatchObject({
      message: { kind: 'message', via: 'page', decision: numbers.decision },
      isDelivered: true,
    });
    expect(entry?.message).toMatchObject({
      links: links.flatMap((link) => link.request_id ?? []),
      reasons: reasons.map(({ code, weight }) => ({ code, weight: Math.round(weight * 10) / 10 })),
      ...{ malicious_probability, model_version: numbers.model_version },
      ...{ link_count: numbers.link_count, unchecked: numbers.unchecked, unread: numbers.unread },
    });
    expect(entry?.clientHash).toEqual(visibility === 'public' ? null : expect.stringMatching(/^[\da-f]{64}$/));
    expect(JSON.stringify(entry)).not.toMatch(/paypal|mailer|example|limited/i);
    const other = visibility === 'public' ? 'private' : 'public';
    expect(await Array.fromAsync(log.messages.read(other, { decision: null, fromMs: null, untilMs: null }))).toEqual(
      [],
    );
    leaving.abort();
    // Commits keep their order.
    await log.messages.append({
      ...EXAMPLES.messageAnswer,
      ...origin,
      request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6c',
    });
    expect((await log.messages.find(visibility, request_id))?.isDelivered).toBe(false);
  },
);

test('a message that cannot be logged is neither answered nor reported', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path, { reserveBytes: Number.MAX_SAFE_INTEGER });
  let reported = 0;
  const report = messageReporter(
    log,
    () => reported++,
    () => reported++,
  );
  const refusal = await report(EXAMPLES.messageAnswer, originOf('public').origin).catch((error) => error);
  expect([refusal.code, reported]).toEqual(['log_unavailable', 0]);
});
