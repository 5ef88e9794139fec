import { DNS, RCODE, readDnsMessage, writeQuestion } from './message.ts';
import { checkTsig, signMessage, TSIG_ERROR } from './tsig.ts';
import type { TsigKey } from './tsig-key.ts';
import type { Zone } from './zone-content.ts';

/** A notification of a new version, with what its answer is compared with. */
export interface Notify {
  readonly bytes: Buffer;
  readonly id: number;
  readonly key: TsigKey | null;
  readonly mac: Buffer | null;
}

/** Options of a notification. */
export interface NotifyOptions {
  readonly id: number;
  /** Null for one without a signature. */
  readonly key: TsigKey | null;
  readonly nowSeconds: number;
}

/** Writes a notification (RFC 1996 §3) with the serial of the zone. */
export function writeNotify({ name, soa }: Zone, { id, key, nowSeconds }: NotifyOptions): Notify {
  const flags = (DNS.NOTIFY << 11) | 0x0400;
  const message = Buffer.concat([writeQuestion({ id, name, type: DNS.SOA, flags }), soa]);
  message.writeUInt16BE(1, 6);
  if (key === null) return { bytes: message, id, key, mac: null };
  const { bytes, mac } = signMessage(message, { key, prior: null, timeSigned: nowSeconds });
  return { bytes, id, key, mac };
}

/** True if a message acknowledges a notification, signed by the same key. */
export function isAcknowledged(bytes: Buffer, { id, key, mac }: Notify, nowSeconds: number): boolean {
  const message = readDnsMessage(bytes);
  const isAnswer = message?.isResponse && message.opcode === DNS.NOTIFY && message.id === id;
  if (!isAnswer || message.rcode !== RCODE.NOERROR) return false;
  if (key === null) return true;
  return message.tsig !== null && checkTsig(bytes, message.tsig, [key], nowSeconds, mac).error === TSIG_ERROR.NONE;
}
