import { createByteQueue } from '#src/core/base/byte-queue.ts';
import { type MilterPacket, readPacket, writePacket } from './milter-packet.ts';
import { CONTINUE, MAIL_CHANGES, type MilterDecision, replyTo } from './milter-reply.ts';
import { createMailCollector, type MailRoom, type ReceivedMail } from './received-mail.ts';

/** What a connection works with. */
export interface MilterConnectionParts {
  /** Decides on a mail. Must not reject. */
  decide(mail: ReceivedMail): Promise<MilterDecision>;
  readonly room: MailRoom;
  write(bytes: Uint8Array): void;
  /** Closes the connection after what was written. */
  end(): void;
}

/** The milter protocol (version 6) on one connection, without a socket. Never throws. */
export interface MilterConnection {
  /** Takes bytes that arrived. */
  receive(bytes: Uint8Array): void;
  /** True while a mail is decided on: the mail server waits, and nothing more is to be read. */
  isBusy(): boolean;
  /** Ends the connection, after the mail that is being received. */
  stop(): void;
  /** Releases the memory of a connection that was closed. */
  close(): void;
}

const VERSION = 6;
/** Earlier versions are of Sendmail 8.11 and older. */
const MIN_VERSION = 2;

/** Steps by their letter, with the bit by which their answer is waived (`SMFIP_NR_…`). */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['L', 0x80],
  ['C', 0x1000],
  ['H', 0x2000],
  ['M', 0x4000],
  ['R', 0x8000],
  ['T', 0x10000],
  ['U', 0x20000],
  ['N', 0x40000],
  ['B', 0x80000],
]);

const ALL_WAIVED = [...STEPS.values()].reduce((all, bit) => all | bit, 0);
const ALL_CHANGES = MAIL_CHANGES.addHeader | MAIL_CHANGES.changeHeader | MAIL_CHANGES.quarantine;

/** Creates a connection that has received nothing. */
export function createMilterConnection({ decide, room, write, end }: MilterConnectionParts): MilterConnection {
  const queue = createByteQueue();
  const collector = createMailCollector(room);
  let [allowed, waived] = [0, 0];
  let isInMail = false;
  let isDeciding = false;
  let isStopping = false;
  let isEnded = false;

  function finish(): void {
    if (isEnded) return;
    isEnded = true;
    end();
  }

  function forget(): void {
    collector.reset();
    isInMail = false;
  }

  function negotiate(data: Buffer): void {
    const version = data.length < 12 ? 0 : data.readUInt32BE(0);
    if (version < MIN_VERSION) {
      finish();
      return;
    }
    allowed = data.readUInt32BE(4) & ALL_CHANGES;
    waived = data.readUInt32BE(8) & ALL_WAIVED;
    write(writePacket('O', Math.min(version, VERSION), allowed, waived));
  }

  function decideOn(): void {
    const forged = collector.forged();
    isDeciding = true;
    void decide(collector.mail()).then((decision) => {
      isDeciding = false;
      forget();
      if (isEnded) return;
      write(replyTo(decision, forged, allowed));
      work();
    });
  }

  function handle({ command, data }: MilterPacket): void {
    if (command === 'M') isInMail = true;
    if (command === 'L') addHeader(data);
    if (command === 'B' || command === 'E') if (data.length > 0) collector.body(data);
    const isWaived = (waived & (STEPS.get(command) ?? 0)) !== 0;
    if (command === 'O') negotiate(data);
    else if (command === 'D') collector.define(macrosOf(data));
    else if (command === 'E') decideOn();
    else if (command === 'A' || command === 'K') forget();
    else if (command === 'Q') finish();
    else if (!isWaived) write(CONTINUE);
  }

  function addHeader(data: Buffer): void {
    const [name, value] = splitZeros(data);
    if (name !== undefined && value !== undefined) collector.header(name, value);
  }

  function work(): void {
    while (!isDeciding && !isEnded) {
      // Between two mails nothing is lost by closing.
      const packet = isStopping && !isInMail ? 'end' : readPacket(queue);
      if (packet === null) break;
      if (packet === 'end' || packet === 'malformed') finish();
      else handle(packet);
    }
  }

  return {
    receive(bytes) {
      if (isEnded) return;
      queue.push(bytes);
      work();
    },
    isBusy: () => isDeciding,
    stop() {
      isStopping = true;
      work();
    },
    close() {
      isEnded = true;
      if (!isDeciding) forget();
    },
  };
}

/** Returns the texts of a packet, each of which ends with a zero byte. */
function splitZeros(data: Buffer): Buffer[] {
  const texts: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    const zero = data.indexOf(0, at);
    const end = zero === -1 ? data.length : zero;
    texts.push(data.subarray(at, end));
    at = end + 1;
  }
  return texts;
}

/** Maximum number of macros that are read of a packet. */
const MAX_MACROS = 100;

/** Returns the macros of a packet, which begins with the letter of the step that they belong to. */
function macrosOf(data: Buffer): ReadonlyMap<string, string> {
  const texts = splitZeros(data.subarray(1)).slice(0, 2 * MAX_MACROS);
  const macros = new Map<string, string>();
  for (let at = 0; at + 1 < texts.length; at += 2)
    macros.set(texts[at]?.toString('latin1') ?? '', texts[at + 1]?.toString('latin1') ?? '');
  return macros;
}
