import { answerQuery, type QueryContext } from '#src/parts/feeds/zone/protocol/answer-query.ts';
import { writeQuestion } from '#src/parts/feeds/zone/protocol/message.ts';
import type { TsigKey } from '#src/parts/feeds/zone/protocol/settings.ts';
import { signMessage } from '#src/parts/feeds/zone/protocol/tsig.ts';
import { readZone, type Zone } from '#src/parts/feeds/zone/protocol/zone-content.ts';

/** Time of all messages, in seconds since the Unix epoch. */
export const NOW_SECONDS = 1_795_524_679;

/** Name of the zone of these tests. */
export const ZONE = 'rpz.lurecheck';

/** A key whose secret is known to everybody. */
export const KEY: TsigKey = {
  name: 'lurecheck',
  algorithm: 'hmac-sha256',
  secret: Buffer.from('0123456789abcdef0123456789abcdef'),
};

/** A zone with names, as the feed writes it. */
export function zoneOf(names: readonly string[], serial = NOW_SECONDS): Zone {
  const head = `; What is blocked.\n$TTL 300\n@ SOA localhost. hostmaster.localhost. ${serial} 60 60 604800 300\n@ NS localhost.\n`;
  return readZone(ZONE, Buffer.from(`${head}${names.map((name) => `${name} CNAME .\n*.${name} CNAME .\n`).join('')}`));
}

/** A zone whose transfer takes three messages. */
export const LONG_ZONE = zoneOf(Array.from({ length: 3000 }, (_, at) => `n${at}.example`));

/** A query for the zone, with the serial that the client has for IXFR. */
export function queryOf(type: number, serial: number | null = null, name = ZONE): Buffer {
  const question = writeQuestion({ id: 0x1234, name, type });
  if (serial === null) return question;
  const soa = Buffer.from(zoneOf([], serial).soa);
  const query = Buffer.concat([question, soa]);
  query.writeUInt16BE(1, 8);
  return query;
}

/** A query with a signature. */
export function signedQuery(query: Buffer, key = KEY, timeSigned = NOW_SECONDS): Buffer {
  return signMessage(query, { key, prior: null, timeSigned }).bytes;
}

/** Answers a query at {@link NOW_SECONDS}. */
export function ask(query: Buffer, context: Partial<QueryContext> = {}) {
  const answer = answerQuery(query, {
    ...{ zoneName: ZONE, zone: LONG_ZONE, keys: [], transport: 'tcp', mayTransfer: () => true },
    ...{ nowSeconds: () => NOW_SECONDS, ...context },
  });
  return answer && { outcome: answer.outcome, messages: [...answer.messages] };
}

/** Response code of a message. */
export const rcodeOf = (message: Buffer | undefined) => (message?.[3] ?? 0) & 0xf;

/** Number of records in the answer section. */
export const answersIn = (message: Buffer | undefined) => message?.readUInt16BE(6);

/** A message with its length before it, as over TCP. */
export const framed = (message: Buffer) =>
  Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]);

/** The messages that were sent over TCP. */
export function messagesIn(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at + 2 <= bytes.length; at += 2 + bytes.readUInt16BE(at))
    messages.push(bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at)));
  return messages;
}
