import { expect, test } from 'bun:test';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { assessMessage } from '#src/engine/mail-verdict/assess-message.ts';
import { weighedMessage } from '#src/engine/mail-verdict/weighed-message.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { createEventReader } from '#src/interfaces/ui/api/event-stream.ts';
import type { MessageAnswer } from '#src/service/server/message/message-answer.ts';
import { MODELS } from '#test/support/models.ts';
import { startServer } from './running-server.ts';

async function startMailServer(settings: Parameters<typeof startServer>[0] = {}) {
  const seen: string[] = [];
  const reported: unknown[] = [];
  const server = await startServer({
    onMessage: async (...message) => void reported.push(message),
    async readMail(bytes) {
      seen.push(new TextDecoder().decode(bytes));
      const message = await readMessage(bytes.slice(0, 4096), 'mail.eml');
      if (message === null) throw new Error('expected a mail');
      const links = message.links.map(({ url }) => url);
      return {
        ...{ links, count: links.length, unread: 0, isWhole: true },
        assess: (verdicts) => assessMessage(weighedMessage(message), verdicts, MODELS, { baseRate: 0.05 }),
      };
    },
    ...settings,
  });
  const post = async (body: string, type = 'application/json', { query = '', accept = '*/*' } = {}) =>
    await fetch(`${server.url}/api/check-message${query}`, {
      method: 'POST',
      body,
      headers: { 'content-type': type, accept },
    });
  return { ...server, seen, reported, post };
}

const MAIL =
  'From: PayPal <x@evil-shop.top>\r\nSubject: Your account is limited\r\nMIME-Version: 1.0\r\n\r\nhttps://a.example/';

/** A mail with nothing that is weighed. */
const EMPTY = await readMessage(new TextEncoder().encode('Subject: x\r\n\r\n'), 'mail.eml');
if (EMPTY === null) throw new Error('expected a mail');

test('a mail is classified by its source, and its links are checked privately', async () => {
  const { post, requests, seen, ...server } = await startMailServer();
  await using _ = server;
  const response = await post(MAIL, 'message/rfc822');
  expect(response.status).toBe(200);
  const answer = (await response.json()) as MessageAnswer;
  expect(seen).toEqual([MAIL]);
  expect(answer).toMatchObject({
    decision: 'block',
    link_count: 1,
    is_whole: true,
    links: [{ url: 'https://a.example/' }],
  });
  expect(answer.reasons.map(({ code }) => code)).toContain('sender.brand_in_name');
  expect(requests).toMatchObject([{ visibility: 'private', visit: true, target: { url: 'https://a.example/' } }]);
});

test('a checked mail is reported with the log of its links', async () => {
  const { post, reported, ...server } = await startMailServer();
  await using _ = server;
  const answer = await (await post(MAIL, 'message/rfc822')).json();
  await post(MAIL, 'message/rfc822', { query: '?private_mode=false' });
  expect(reported).toMatchObject([
    [answer, { via: 'api', visibility: 'private' }],
    [{ decision: 'block' }, { via: 'api', visibility: 'public' }],
  ]);
});

test('a mail is classified by its parts', async () => {
  const { post, requests, seen, ...server } = await startMailServer();
  await using _ = server;
  const headers = 'From: PayPal <x@evil-shop.top>\r\nSubject: Hello\r\nContent-Type: text/plain';
  const html = '<a href="https://b.example/">jetzt bestätigen</a>';
  const response = await post(JSON.stringify({ headers, text: 'hällo', html, private_mode: false, visit: false }));
  expect(await response.json()).toMatchObject({ links: [{ url: 'https://b.example/' }] });
  expect(requests).toMatchObject([{ visibility: 'public', visit: false }]);
  expect(seen[0]).toContain('multipart/alternative');
  const parts = await post(JSON.stringify({ from: 'PayPal <x@evil-shop.top>\r\nBcc: a@b.c', subject: 'Grüße' }));
  expect(parts.status).toBe(200);
  expect(seen[1]).not.toContain('\r\nBcc');
});

const EVENTS = 'text/event-stream';

test('a mail that is sent as such states its choices in the address', async () => {
  const { post, requests, ...server } = await startMailServer();
  await using _ = server;
  await post(MAIL, 'message/rfc822', { query: '?private_mode=false&visit=false' });
  expect(requests).toMatchObject([{ visibility: 'public', visit: false }]);
  const refused = await post(MAIL, 'message/rfc822', { query: '?visit=no' });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, 'invalid_parameter']);
});

test('a client that prefers events gets each link with its signature, then the verdict on the mail', async () => {
  const { post, ...server } = await startMailServer();
  await using _ = server;
  const response = await post(MAIL, 'message/rfc822', { accept: EVENTS });
  expect(response.headers.get('content-type')).toBe(EVENTS);
  const events = createEventReader()(await response.text());
  expect(events.map(({ event }) => event)).toEqual(['link', 'result']);
  const [link, answer] = events.map(({ data }) => JSON.parse(data));
  expect(link).toMatchObject({ url: 'https://a.example/', result: { decision: 'allow' } });
  expect(link.signature).toBeString();
  expect(answer).toMatchObject({ decision: 'block', links: [{ request_id: link.result.request_id }] });
  const refused = await post('{}', 'application/json', { accept: EVENTS });
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, 'invalid_body']);
});

test('a failure after the answer has begun is its last event', async () => {
  await using server = await startServer({ readMail: () => Promise.reject(new Error('broken')) });
  const headers = { 'content-type': 'message/rfc822', accept: EVENTS };
  const response = await fetch(`${server.url}/api/check-message`, { method: 'POST', body: MAIL, headers });
  const [event] = createEventReader()(await response.text());
  expect(event).toMatchObject({ event: 'problem', data: expect.stringContaining('"code":"internal"') });
});

test('links beyond the limit are counted, and an allowed mail with any of them calls for caution', async () => {
  const { post, requests, seen, ...server } = await startMailServer({ settings: { rate_limit: 2 } });
  await using _ = server;
  const links = [1, 2, 3, 4].map((number) => `https://site-${number}.example/`).join('\r\n');
  const sent = `From: Ruth <ruth@adler.example>\r\nSubject: Links\r\nMIME-Version: 1.0\r\n\r\n${links}`;
  const answer = (await (await post(sent, 'message/rfc822')).json()) as MessageAnswer;
  expect(answer).toMatchObject({ decision: 'allow', link_count: 4, unchecked: 2, is_whole: false, caution: true });
  expect(answer.links.map(({ decision }) => decision)).toEqual(['allow', 'allow', null, null]);
});

test('a mail that is read and checked whole has nothing unchecked', async () => {
  const { post, requests, seen, ...server } = await startMailServer();
  await using _ = server;
  const answer = (await (await post(MAIL, 'message/rfc822')).json()) as MessageAnswer;
  expect(answer).toMatchObject({ unchecked: 0, is_whole: true, caution: false });
});

test('an allowed mail without links calls for caution if parts of it were not read', async () => {
  const assess = () => assessMessage(weighedMessage(EMPTY), [], MODELS, { baseRate: 0.05 });
  const readMail = () => Promise.resolve({ links: [], count: 0, unread: 1, isWhole: true, assess });
  const { post, requests, seen, ...server } = await startMailServer({ readMail });
  await using _ = server;
  expect(await (await post(MAIL, 'message/rfc822')).json()).toMatchObject({ decision: 'allow', caution: true });
});

test.each([
  ['', 'message/rfc822'],
  ['{"source":""}', 'application/json'],
  ['{"text":""}', 'application/json'],
])('a message with nothing in it is refused: %p', async (body, type) => {
  const { post, requests, seen, ...server } = await startMailServer();
  await using _ = server;
  const response = await post(body, type);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'invalid_body']);
  expect(seen).toEqual([]);
});

test('a mail that could not be read in time has no verdict', async () => {
  const error = new UnavailableError('unexamined', 'The message could not be read in time.', 5);
  const { post, requests, seen, ...server } = await startMailServer({ readMail: () => Promise.reject(error) });
  await using _ = server;
  const response = await post(MAIL, 'message/rfc822');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await response.json()).toMatchObject({ code: 'unexamined', detail: 'The message could not be read in time.' });
});

test('a refusal of the type of a body names that of mails, and an encoded mail is refused', async () => {
  const { post, requests, seen, ...server } = await startMailServer();
  await using _ = server;
  expect(((await (await post('x', 'text/plain')).json()) as { detail: string }).detail).toContain('message/rfc822');
  const encoded = await fetch(`${server.url}/api/check-message`, {
    method: 'POST',
    body: MAIL,
    headers: { 'content-type': 'message/rfc822', 'content-encoding': 'gzip' },
  });
  expect(encoded.status).toBe(415);
  expect(seen).toEqual([]);
});

test.each([
  ['{}', 'application/json', 400, 'invalid_body'],
  ['{"source": 5}', 'application/json', 400, 'invalid_body'],
  ['{"private": true, "text": "x"}', 'application/json', 400, 'unknown_member'],
  ['{"text": "x", "private_mode": "true"}', 'application/json', 400, 'invalid_body'],
  ['x', 'text/plain', 415, 'unsupported_media_type'],
  ['x'.repeat(2 * 1024 * 1024 + 1), 'message/rfc822', 413, 'body_too_large'],
])('refuses a body: %#', async (body, type, status, code) => {
  const { post, seen, ...server } = await startMailServer();
  await using _ = server;
  const response = await post(body, type);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  expect(seen).toEqual([]);
});

test('a body of 2 MiB is read', async () => {
  const { post, seen, ...server } = await startMailServer();
  await using _ = server;
  const response = await post(`${MAIL}\r\n${'x\r\n'.repeat(600_000)}`, 'message/rfc822');
  expect(response.status).toBe(200);
  expect(seen[0]?.length).toBeGreaterThan(1_800_000);
});
