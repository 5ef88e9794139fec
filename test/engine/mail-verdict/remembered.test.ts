import { expect, test } from 'bun:test';
import { confirmedAddress } from '#src/engine/mail-verdict/sender-confirmation.ts';
import { weighedMessage } from '#src/engine/mail-verdict/weighed-message.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { classifyMail, weightsOf } from '../../support/classify-mail.ts';
import { MODELS } from '../../support/models.ts';

const RECEIVED = 'Received: from mail.sender.example by mx.corp.example with ESMTP; today';
const resultsOf = (results: string) => `Authentication-Results: mx.corp.example; ${results}`;
const DMARC = resultsOf('spf=none; dmarc=pass header.from=garden.example');
const ANN = 'From: Ann <Ann@garden.example>';
const mail = (headers: readonly string[], text = 'See you on Sunday.') =>
  [...headers, 'Subject: Hello', 'MIME-Version: 1.0', 'Content-Type: text/plain', '', text].join('\r\n');

const REMEMBERED = { isRemembered: true };
const weightOf = async (source: string, options = {}, listed: readonly string[] = []) =>
  weightsOf(await classifyMail(source, listed, options))['trust.remembered'] ?? 0;

test('an earlier correspondent is a small point in favour, at a free mailbox too', async () => {
  expect(await weightOf(mail([DMARC, RECEIVED, ANN]))).toBe(0);
  expect(await weightOf(mail([DMARC, RECEIVED, ANN]), REMEMBERED)).toBeWithin(-1, -0.3);
  const free = [resultsOf('dmarc=pass header.from=gmail.com'), RECEIVED, 'From: Ann <ann@gmail.com>'];
  expect(await weightOf(mail(free), REMEMBERED)).toBeWithin(-1, -0.3);
});

test.each([
  ['that nothing confirms', mail([RECEIVED, ANN]), []],
  ['with a failure', mail([resultsOf('dmarc=fail header.from=garden.example'), RECEIVED, ANN]), []],
  ['with a claimed brand', mail([DMARC, RECEIVED, 'From: PayPal <ann@garden.example>']), []],
  ['with an alarming link', mail([DMARC, RECEIVED, ANN], 'http://paypal-login.verify-account.cyou/signin'), []],
  [
    'with a listed link',
    mail([DMARC, RECEIVED, ANN], 'https://www.lakeviewrotary.org/about/'),
    ['https://www.lakeviewrotary.org/about/'],
  ],
])('a mail %s has no such point', async (_, source, listed) => {
  expect(await weightOf(source, REMEMBERED, listed)).toBe(0);
});

test.each([
  ['DMARC', DMARC, RECEIVED, 'ann@garden.example'],
  [
    'an aligned signature',
    resultsOf('spf=none; dkim=pass header.d=mail.garden.example'),
    RECEIVED,
    'ann@garden.example',
  ],
  ['SPF alone', resultsOf('spf=pass smtp.mailfrom=garden.example'), RECEIVED, null],
  ['a signature of another', resultsOf('dkim=pass header.d=evil.example'), RECEIVED, null],
  ['an untrusted server', DMARC.replace('mx.corp', 'mx.evil'), RECEIVED, null],
  ['a header below the first Received', RECEIVED, DMARC, null],
])('%s decides if an address is confirmed', async (_, first, second, address) => {
  const message = await readMessage(new TextEncoder().encode(mail([first, second, ANN])), 'mail.eml');
  if (message === null) throw new Error('expected a text');
  expect(confirmedAddress(weighedMessage(message), MODELS.knowledge)).toBe(address);
});
