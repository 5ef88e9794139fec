import { expect, test } from 'bun:test';
import type { MessageRecord } from '#src/checks/record/message-record.ts';
import type { MessageFilter } from '#src/checks/store/messages/stored-message.ts';
import { BadCursorError } from '#src/checks/store/scan-log.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { sampleMessage } from '#test/support/sample-message.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { DECISIONS, type OpenLogUnderTest, START_MS } from './log-checks.ts';

const ALL: MessageFilter = { decision: null, fromMs: null, untilMs: null };

const messageAt = (i: number, given: Partial<MessageRecord> = {}) =>
  sampleMessage({ atMs: START_MS + i, decision: DECISIONS[i % 3] ?? 'warn', ...given });

/** What every log does with the checks of messages. */
export function describeMessages(open: OpenLogUnderTest): void {
  test('pages match a naive filter, newest first, each message once, whatever is logged meanwhile', async () => {
    await using under = await open();
    const messages = under.log.messages;
    const logged = Array.from({ length: 30 }, (_, i) => messageAt(i));
    await Promise.all(logged.map((one) => messages.append(one)));
    await under.log.append(sampleRecord({ atMs: START_MS + 5 }));
    const filters = [
      {},
      { decision: 'warn' },
      { fromMs: START_MS + 5, untilMs: START_MS + 20 },
      { untilMs: START_MS },
    ] as const;
    for (const filter of filters) {
      const { decision, fromMs, untilMs }: MessageFilter = { ...ALL, ...filter };
      const isMeant = (one: MessageRecord, i: number) =>
        (decision ?? one.decision) === one.decision &&
        START_MS + i >= (fromMs ?? 0) &&
        START_MS + i < (untilMs ?? Infinity);
      const expected = logged
        .filter(isMeant)
        .map((one) => one.request_id)
        .toReversed();
      for (const limit of [1, 7, 500]) {
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const query = { ...ALL, ...filter, limit, cursor };
          const { items, next_cursor } = await messages.page(query, 'public');
          seen.push(...items.map((item) => item.request_id));
          cursor = next_cursor;
        } while (cursor !== null);
        expect([filter, limit, seen]).toEqual([filter, limit, expected]);
      }
      const read = await Array.fromAsync(under.reader.messages.read('public', { ...ALL, ...filter }));
      expect(read.map(({ message }) => message.request_id)).toEqual(expected);
    }
    const first = await messages.page({ ...ALL, limit: 10, cursor: null }, 'public');
    await messages.append(messageAt(1));
    await messages.append(messageAt(99));
    const rest = await messages.page({ ...ALL, limit: 500, cursor: first.next_cursor }, 'public');
    expect([...first.items, ...rest.items].map((item) => item.request_id)).toEqual(
      logged.map((one) => one.request_id).toReversed(),
    );
  });

  test('a message is read as it was stored, from its log alone, and checks do not show it', async () => {
    await using under = await open();
    const messages = under.log.messages;
    for (const visibility of ['public', 'private'] as const) {
      const record = messageAt(0, { visibility, client: 'a client', caution: true, is_whole: false, via: 'page' });
      await messages.append(record);
      const { request_id, via, caution, is_whole, link_count, unchecked, unread, malicious_probability } = record;
      const entry = await under.reader.messages.find(visibility, request_id);
      expect(entry).toEqual({
        message: {
          kind: 'message',
          ...{ request_id, via, caution, is_whole, link_count, unchecked, unread, malicious_probability },
          decision: 'allow',
          reasons: [
            { code: 'sender.brand_in_name', weight: 2.3 },
            { code: 'lure.account', weight: -0.5 },
          ],
          links: [record.links[0]?.request_id ?? ''],
          model_version: 'message-1',
          timestamp: new Date(START_MS).toISOString(),
        },
        clientHash: visibility === 'public' ? null : expect.stringMatching(/^[\da-f]{64}$/),
        isDelivered: true,
      });
      const other = visibility === 'public' ? 'private' : 'public';
      expect(await under.reader.messages.find(other, request_id)).toBeNull();
      expect(await under.reader.find(visibility, request_id)).toBeNull();
    }
    expect(await under.reader.messages.find('public', createRequestId(START_MS))).toBeNull();
    expect(await under.reader.messages.find('public', "' or 1=1")).toBeNull();
  });

  test('a message is marked whose answer was not delivered', async () => {
    await using under = await open();
    const messages = under.log.messages;
    const [lost, taken] = [messageAt(0), messageAt(1)];
    await Promise.all([lost, taken].map((one) => messages.append(one)));
    messages.markUndelivered('public', lost.request_id);
    await messages.append(messageAt(2));
    const found = await Promise.all([lost, taken].map((one) => under.reader.messages.find('public', one.request_id)));
    expect(found.map((entry) => entry?.isDelivered)).toEqual([false, true]);
  });

  test('a cursor of another history is refused', async () => {
    await using under = await open();
    const asked = under.log.messages.page({ ...ALL, limit: 1, cursor: 'none' }, 'public');
    expect(await asked.catch((error: unknown) => error)).toBeInstanceOf(BadCursorError);
  });
}
