import { expect, test } from 'bun:test';
import { mailAssessor } from '#src/app/message/open-mail-reader.ts';
import { weighedMessage } from '#src/engine/mail-verdict/weighed-message.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { MODELS, SETTINGS } from '../../support/models.ts';

const RECEIVED = 'Received: from mail.sender.example by mx.corp.example with ESMTP; today';
const DMARC = 'Authentication-Results: mx.corp.example; dmarc=pass header.from=garden.example';

async function assessed(headers: readonly string[], text: string, known: readonly string[] = []) {
  const noted: string[] = [];
  const memory = {
    isKnown: (address: string) => known.includes(address),
    note: (address: string) => void noted.push(address),
  };
  const settings = { own_people: ['Bob Own'], message_warn_threshold: null, message_block_threshold: null };
  const engine = { scoringContext: () => ({ models: MODELS, settings: SETTINGS }) };
  const assess = mailAssessor(
    engine as never,
    () => settings,
    () => ({ probability: 0.05, decision: 'allow' }),
    memory,
  );
  const source = [...headers, 'MIME-Version: 1.0', 'Content-Type: text/plain', '', text].join('\r\n');
  const message = await readMessage(new TextEncoder().encode(source), 'mail.eml');
  if (message === null) throw new Error('expected a text');
  const { verdict, decision } = assess(weighedMessage(message), []);
  return { noted, decision, codes: verdict.contributions.map(({ code }) => code) };
}

test('notes the confirmed sender of an allowed mail, and nobody else', async () => {
  const from = 'From: Ann <ann@garden.example>';
  expect((await assessed([DMARC, RECEIVED, from], 'See you on Sunday.')).noted).toEqual(['ann@garden.example']);
  expect((await assessed([RECEIVED, from], 'See you on Sunday.')).noted).toEqual([]);
  const asked = 'I am in a meeting and cannot talk. Please buy some gift cards, and send me the codes.';
  const fraud = await assessed([DMARC, RECEIVED, from, 'Reply-To: <ann@gmail.com>'], asked);
  expect([fraud.decision === 'allow', fraud.noted]).toEqual([false, []]);
});

test('weighs that the sender wrote before, and has the name of one of the own people', async () => {
  const { codes } = await assessed([DMARC, RECEIVED, 'From: Ann <Ann@Garden.example>'], 'Hi', ['ann@garden.example']);
  expect(codes).toContain('trust.remembered');
  const posing = await assessed([RECEIVED, 'From: Bob Own <x@gmail.com>'], 'Hi');
  expect(posing.codes).toContain('sender.own_person');
});
