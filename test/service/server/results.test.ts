import { expect, test } from 'bun:test';
import { createPublicKey, verify } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { withoutPassword } from '#src/checks/record/without-password.ts';
import { createEventReader } from '#src/interfaces/ui/api/event-stream.ts';
import { createResultSigner } from '#src/service/server/results/result-signer.ts';
import { sampleResult } from '#test/interfaces/ui/sample-result.ts';
import { RESULTS, startServer, TODAY } from './running-server.ts';

const linkOf = (text: string, signature: string) => `${deflateRawSync(text).toString('base64url')}.${signature}`;

test('the signature of a result verifies its link, but no changed link', () => {
  const result = sampleResult();
  const text = JSON.stringify(result);
  const signature = RESULTS.sign(result);
  expect(RESULTS.isSigned(linkOf(text, signature))).toBe(true);
  expect(RESULTS.isSigned(linkOf(text.replace('"block"', '"allow"'), signature))).toBe(false);
  const another = createResultSigner(() => Buffer.alloc(32, 8));
  expect(another.isSigned(linkOf(text, signature))).toBe(false);
  expect(createResultSigner(() => Buffer.alloc(32, 7)).isSigned(linkOf(text, signature))).toBe(true);
});

test('an invalid link does not verify, not even a decompression bomb', () => {
  const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024)).toString('base64url');
  for (const link of ['', '.', 'x', '!.!', 'AA.AA', `${bomb}.${RESULTS.sign(sampleResult())}`]) {
    expect([link.slice(0, 20), RESULTS.isSigned(link)]).toEqual([link.slice(0, 20), false]);
  }
});

test('a link is signed without the password of its URL', () => {
  const result = { ...sampleResult(), url: 'https://jane:zqhunter@example.com/' };
  const details = { ...result.analysis_details, normalized_url: 'https://jane:***@example.com/' };
  const answer = { ...result, analysis_details: details };
  expect(RESULTS.isSigned(linkOf(JSON.stringify(answer), RESULTS.sign(answer)))).toBe(false);
  expect(RESULTS.isSigned(linkOf(JSON.stringify(withoutPassword(answer)), RESULTS.sign(answer)))).toBe(true);
});

test('a result can be verified with the public key, without the service', () => {
  const result = sampleResult();
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: RESULTS.publicKey() }, format: 'jwk' });
  const message = Buffer.from(`lurecheck result 1\n${JSON.stringify(withoutPassword(result))}`);
  expect(verify(null, message, key, Buffer.from(RESULTS.sign(result), 'base64url'))).toBe(true);
});

test('a streamed check includes its signature, and only the returned result verifies', async () => {
  await using server = startServer();
  const response = await fetch(`${server.url}/api/check-url/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/', private_mode: true }),
  });
  const events = createEventReader()(await response.text());
  const dataOf = (name: string) => JSON.parse(events.find(({ event }) => event === name)?.data ?? 'null');
  const link = linkOf(JSON.stringify(dataOf('result')), dataOf('signature').signature);
  const verified = async (body: object) => {
    const answer = await fetch(`${server.url}/api/verify-result`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return [answer.status, await answer.json()];
  };
  expect(await verified({ link })).toEqual([200, { is_signed: true }]);
  expect(await verified({ link: link.slice(0, -8) })).toEqual([200, { is_signed: false }]);
  for (const body of [{}, { link: 1 }, { link, more: 1 }]) expect((await verified(body))[0]).toBe(400);
  expect(server.log).toEqual([]);
});

test('a verification returns the verdict of today, and the mismatch in a message is signed with the result', async () => {
  await using server = startServer();
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return [answer.status, await answer.json()];
  };
  const result = withoutPassword(sampleResult());
  const link = linkOf(JSON.stringify(result), RESULTS.sign(result));
  expect(await post('/api/results/verify', { link })).toEqual([200, { is_signed: true, today: TODAY }]);
  expect(await post('/api/results/verify', { link: link.slice(0, -8) })).toEqual([
    200,
    { is_signed: false, today: null },
  ]);
  const mismatch = { says: 'www.paypal.com', goes_to: 'evil.example' };
  const [status, { signature }] = (await post('/api/results/sign', { link, ...mismatch })) as [
    number,
    { signature: string },
  ];
  expect(status).toBe(200);
  expect(RESULTS.isSigned(linkOf(JSON.stringify({ ...result, mismatch }), signature))).toBe(true);
  expect(RESULTS.isSigned(linkOf(JSON.stringify(result), signature))).toBe(false);
  expect(await post('/api/results/sign', { link: link.slice(0, -8), ...mismatch })).toEqual([200, { signature: null }]);
  for (const says of ['a b', 'https://x', 'x'.repeat(254), 1, undefined]) {
    expect((await post('/api/results/sign', { link, says, goes_to: 'evil.example' }))[0]).toBe(400);
  }
  expect(server.log).toEqual([]);
});
