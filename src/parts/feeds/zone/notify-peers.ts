import { randomInt } from 'node:crypto';
import { formatIp, parseIp, unmapIp } from '#src/core/base/addresses/ip.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { hostInUrl } from '#src/core/base/settings/listen-address.ts';
import { DNS, RCODE, readDnsMessage, writeQuestion } from '#src/parts/feeds/zone/protocol/message.ts';
import type { TsigKey, ZonePeer } from '#src/parts/feeds/zone/protocol/settings.ts';
import { checkTsig, signMessage, TSIG_ERROR } from '#src/parts/feeds/zone/protocol/tsig.ts';
import type { Zone } from '#src/parts/feeds/zone/protocol/zone-content.ts';

/** An address and a port of a name server. */
export type NotifiedPlace = NonNullable<ZonePeer['notified']>;

/** Dependencies of notifications. */
interface NotifyParts {
  readonly peers: () => readonly ZonePeer[];
  readonly keys: () => readonly TsigKey[];
  /** Sends a datagram. Must not throw. */
  send(bytes: Buffer, to: NotifiedPlace): void;
  /** Called once per name server and version. */
  onNotified(outcome: 'acknowledged' | 'failed'): void;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Time after which a notification is sent again, in milliseconds; doubles each time. Default one second. */
  readonly againMs?: number;
}

/** Maximum notifications of a version to a name server that does not answer. */
const MAX_ATTEMPTS = 6;

const AGAIN_MS = 1000;

interface Attempt {
  /** Sent notifications, whose answers may be late. */
  readonly sent: Notify[];
  timer: ReturnType<typeof setTimeout>;
}

/**
 * Creates a notifier of the peers that are not blocks (RFC 1996). It signs the first attempt with the first key and the next with
 * the next: a name server refuses keys that it does not have. Disposing of it ends all attempts.
 */
export function createPeerNotifier({ peers, keys, send, onNotified, clock, logger, againMs = AGAIN_MS }: NotifyParts) {
  const attempts = new Map<string, Attempt>();
  const nowSeconds = () => Math.floor(clock.now() / 1000);

  function forget(place: string): void {
    clearTimeout(attempts.get(place)?.timer);
    attempts.delete(place);
  }

  function settle(place: string, outcome: 'acknowledged' | 'failed'): void {
    forget(place);
    onNotified(outcome);
    if (outcome === 'failed') logger.warn('zone.notify_failed', { peer: place });
  }

  function attempt(zone: Zone, to: NotifiedPlace, before: readonly Notify[]): void {
    const place = placeOf(to);
    forget(place);
    if (before.length === MAX_ATTEMPTS) {
      settle(place, 'failed');
      return;
    }
    const [known, count] = [keys(), before.length];
    const key = known[count % known.length] ?? null;
    const notify = writeNotify(zone, { id: randomInt(2 ** 16), key, nowSeconds: nowSeconds() });
    const sent = [...before, notify];
    const timer = setTimeout(() => attempt(zone, to, sent), againMs * 2 ** count);
    timer.unref();
    attempts.set(place, { sent, timer });
    send(notify.bytes, to);
  }

  return {
    /** Notifies all of a version, which ends the attempts for the one before. */
    notify(zone: Zone) {
      for (const place of [...attempts.keys()]) forget(place);
      for (const { notified } of peers()) if (notified !== null) attempt(zone, notified, []);
    },
    /** Takes a datagram that answers something. */
    receive(bytes: Buffer, from: NotifiedPlace) {
      const place = placeOf(from);
      const sent = attempts.get(place)?.sent ?? [];
      if (sent.some((notify) => isAcknowledged(bytes, notify, nowSeconds()))) settle(place, 'acknowledged');
    },
    [Symbol.dispose]() {
      for (const place of [...attempts.keys()]) forget(place);
    },
  };
}

/** Returns the text of a place, the same for an IPv4 address that is mapped. */
function placeOf({ address, port }: NotifiedPlace): string {
  const ip = parseIp(address.replace(/%.*/s, ''));
  return `${hostInUrl(ip === null ? address : formatIp(unmapIp(ip)))}:${port}`;
}

/** A notification of a new version, with what its answer is compared with. */
interface Notify {
  readonly bytes: Buffer;
  readonly id: number;
  readonly key: TsigKey | null;
  readonly mac: Buffer | null;
}

/** Options of a notification. */
interface NotifyOptions {
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
