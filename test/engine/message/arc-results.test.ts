import { expect, test } from 'bun:test';
import { readMessage } from '#src/engine/message/read-message.ts';

const PASS =
  'spf=pass smtp.mailfrom=bank.example; dkim=pass header.d=bank.example; dmarc=pass header.from=bank.example';
const LOST =
  'spf=fail smtp.mailfrom=bank.example; dkim=fail header.d=bank.example; dmarc=fail header.from=bank.example';
const RECEIVED = 'Received: from mx.forward.example by mx.corp.example with ESMTPS; today';
const resultsOf = (results: string, server = 'mx.corp.example') => `Authentication-Results: ${server}; ${results}`;
const CHAIN_PASS = resultsOf(`arc=pass (i=1 spf=pass); ${LOST}`);

/** Returns the headers of a set of a chain. */
const setOf = (number: number, results = `mx.forward.example; ${PASS}`, domain = 'forward.example') => [
  `ARC-Seal: i=${number}; a=rsa-sha256; cv=${number === 1 ? 'none' : 'pass'}; d=${domain}; s=one; b=abc`,
  `ARC-Message-Signature: i=${number}; a=rsa-sha256; d=${domain}; s=one; h=from:to; b=abc`,
  `ARC-Authentication-Results: i=${number}; ${results}`,
];
const FILTER = 'ARC-Filter: OpenARC Filter v1 mx.forward.example';

async function claimOf(headers: readonly string[], servers: readonly string[], isReceived = true) {
  const text = [...headers, 'From: Bank <a@bank.example>', 'MIME-Version: 1.0', '', 'Hello', ''].join('\r\n');
  const trust = { servers, isReceived };
  const message = await readMessage(new TextEncoder().encode(text), 'mail.eml', undefined, null, trust);
  return message?.head?.authentication ?? null;
}

const SEALERS = ['mx.forward.example'];
const OWN = setOf(2, `mx.corp.example; arc=pass; ${LOST}`, 'corp.example');

test.each([
  ['of a configured sealer', [CHAIN_PASS, RECEIVED, ...setOf(1)]],
  ['in another order, with a header of the program', [CHAIN_PASS, RECEIVED, FILTER, ...setOf(1).toReversed()]],
  ['above those of others', [CHAIN_PASS, RECEIVED, ...setOf(2), ...setOf(1, 'mx.a.example; spf=none', 'a.example')]],
  ['below that of the receiver', [...OWN, CHAIN_PASS, RECEIVED, ...setOf(1)]],
  ['with a number of a version', [CHAIN_PASS, RECEIVED, ...setOf(1, `mx.forward.example 1; ${PASS}`)]],
  ['if the server names itself as the domain', [CHAIN_PASS, RECEIVED, ...setOf(1, undefined, 'mx.forward.example')]],
  ['stated in a second header', [resultsOf(LOST), resultsOf('arc=pass'), RECEIVED, ...setOf(1)]],
])('the results of a chain count %s', async (_, headers) => {
  const claim = await claimOf(headers, SEALERS);
  expect(claim?.server).toBe('mx.forward.example');
  expect(claim?.results.slice(0, 3)).toMatchObject([
    { result: 'pass' },
    { result: 'pass' },
    { method: 'dmarc', result: 'pass' },
  ]);
  expect((await claimOf(headers, []))?.results.some(({ result }) => result === 'pass') ?? false).toBe(false);
});

test.each([
  [
    'of a server that nobody configured',
    [CHAIN_PASS, RECEIVED, ...setOf(1, `mx.evil.example; ${PASS}`, 'evil.example')],
  ],
  ['whose seal is that of another domain', [CHAIN_PASS, RECEIVED, ...setOf(1, undefined, 'evil.example')]],
  ['whose seal only ends like the server', [CHAIN_PASS, RECEIVED, ...setOf(1, undefined, 'ward.example')]],
  ['whose seal is that of a suffix', [CHAIN_PASS, RECEIVED, ...setOf(1, undefined, 'example')]],
  ['without a seal', [CHAIN_PASS, RECEIVED, ...setOf(1).slice(1)]],
  ['that fails', [resultsOf(`arc=fail; ${LOST}`), RECEIVED, ...setOf(1)]],
  ['of which the receiver states nothing', [resultsOf(LOST), RECEIVED, ...setOf(1)]],
  ['that fails and passes', [resultsOf(`arc=fail; arc=pass; ${LOST}`), RECEIVED, ...setOf(1)]],
  ['that fails, as a later header denies', [resultsOf('arc=fail'), resultsOf('arc=pass'), RECEIVED, ...setOf(1)]],
  ['that passes in a comment', [resultsOf(`arc=none (arc=pass; arc=pass); ${LOST}`), RECEIVED, ...setOf(1)]],
  ['that passes as part of another word', [resultsOf(`arc=passed; x-arc=pass; ${LOST}`), RECEIVED, ...setOf(1)]],
  [
    'that only another server believes',
    [resultsOf(LOST), resultsOf('arc=pass', 'mx.evil.example'), RECEIVED, ...setOf(1)],
  ],
  ['that a header below the first Received believes', [resultsOf(LOST), RECEIVED, resultsOf('arc=pass'), ...setOf(1)]],
  ['without any trusted results', [RECEIVED, ...setOf(1)]],
  ['without any results but its own', [RECEIVED, resultsOf('arc=pass'), ...setOf(1)]],
  ['that states its own pass', [RECEIVED, ...setOf(1, `mx.forward.example; arc=pass; ${PASS}`)]],
  [
    'of which a seal is above the results of the receiver',
    [...setOf(1).slice(0, 1), CHAIN_PASS, RECEIVED, ...setOf(1)],
  ],
  ['above the results of the receiver', [...setOf(1), CHAIN_PASS, RECEIVED]],
  [
    'below the set of another',
    [CHAIN_PASS, RECEIVED, ...setOf(2, 'mx.evil.example; arc=pass', 'evil.example'), ...setOf(1)],
  ],
  [
    'below a set in the name of the receiver',
    [CHAIN_PASS, RECEIVED, ...setOf(2, 'mx.corp.example; arc=pass', 'evil.example'), ...setOf(1)],
  ],
  [
    'below an own set that did not pass',
    [...setOf(2, `mx.corp.example; arc=fail`, 'corp.example'), CHAIN_PASS, RECEIVED, ...setOf(1)],
  ],
  ['below a seal without results', [CHAIN_PASS, RECEIVED, 'ARC-Seal: i=2; d=evil.example', ...setOf(1)]],
  [
    'with two results of one number',
    [CHAIN_PASS, RECEIVED, ...setOf(1), `ARC-Authentication-Results: i=1; mx.forward.example; ${PASS}`],
  ],
  ['with two seals of one number', [CHAIN_PASS, RECEIVED, ...setOf(1), 'ARC-Seal: i=1; d=evil.example']],
  [
    'with two domains in a seal',
    [CHAIN_PASS, RECEIVED, ...setOf(1).with(0, 'ARC-Seal: i=1; d=evil.example; d=forward.example')],
  ],
  [
    'with a number behind the server',
    [CHAIN_PASS, RECEIVED, ...setOf(1).with(2, `ARC-Authentication-Results: mx.forward.example; i=1; ${PASS}`)],
  ],
  ['that is too long', [CHAIN_PASS, RECEIVED, ...Array.from({ length: 51 }, (_, at) => setOf(51 - at)).flat()]],
])('the results of a chain %s do not count', async (_, headers) => {
  const { results = [] } = (await claimOf(headers, SEALERS)) ?? {};
  expect(results.filter(({ result }) => result === 'pass')).toEqual([]);
});

test('at a mail server, the topmost results alone say that a chain passes, since the sender may have written the others', async () => {
  const servers = ['mx.corp.example', ...SEALERS];
  expect((await claimOf([CHAIN_PASS, RECEIVED, ...setOf(1)], servers, false))?.server).toBe('mx.forward.example');
  const forged = await claimOf([resultsOf(LOST), resultsOf('arc=pass'), RECEIVED, ...setOf(1)], servers, false);
  expect(forged).toMatchObject({
    server: 'mx.corp.example',
    results: [{ result: 'fail' }, { result: 'fail' }, { result: 'fail' }],
  });
});

test('what the receiver finds itself precedes what a sealer found', async () => {
  const claim = await claimOf(
    [resultsOf(`arc=pass; ${PASS}`), RECEIVED, ...setOf(1, `mx.forward.example; ${LOST}`)],
    SEALERS,
  );
  expect(claim).toMatchObject({
    server: 'mx.corp.example',
    results: [{ result: 'pass' }, { result: 'pass' }, { result: 'pass' }],
  });
});
