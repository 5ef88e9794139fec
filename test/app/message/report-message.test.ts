import { expect, test } from 'bun:test';
import { messageReporter } from '#src/app/message/report-message.ts';
import { EXAMPLES } from '#src/service/server/docs/examples.ts';

test('a message is reported by its verdict, without anything of its content', () => {
  const reported: object[] = [];
  const report = messageReporter(
    (event) => reported.push(event),
    (mail) => reported.push(mail),
  );
  report(EXAMPLES.messageAnswer, { via: 'page', visibility: 'private' });
  const { request_id, timestamp, malicious_probability } = EXAMPLES.messageAnswer;
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
