import { setImmediate as nextTurn } from 'node:timers';
import type { MailRoom } from './mail-room.ts';
import { createPacketReader, endOfText, type MilterPacket, type PacketData, writePacket } from './milter-packet.ts';
import { CONTINUE, MAIL_CHANGES, type MilterDecision, replyTo } from './milter-reply.ts';
import { createMailCollector, MACROS, MAX_MACRO_NAME, type ReceivedMail } from './received-mail.ts';

/** Dependencies of a connection. */
export interface MilterConnectionParts {
  /** Decides on a mail. Must not reject. */
  decide(mail: ReceivedMail): Promise<MilterDecision>;
  readonly room: MailRoom;
  write(bytes: Uint8Array): void;
  /** Closes the connection after what was written. */
  end(): void;
  /** Called when the connection is no longer busy. */
  resume?(): void;
}

/** The milter protocol (version 6) on one connection, without a socket. Never throws. */
export interface MilterConnection {
  /** Takes bytes that arrived. */
  receive(bytes: Uint8Array): void;
  /** True while a mail is decided on or packets wait for their turn: nothing more is to be read. */
  isBusy(): boolean;
  /** Ends the connection, after the mail that is being received. */
  stop(): void;
  /** Releases the memory of a connection that was closed. */
  close(): void;
}

/** Packets that are handled in one turn, before other work of the service: some 1 ms of processor time. */
const MAX_PACKETS_PER_TURN = 500;

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
export function createMilterConnection({ decide, room, write, end, resume }: MilterConnectionParts): MilterConnection {
  const collector = createMailCollector(room);
  const packets = createPacketReader(room, collector.body);
  /** Answers of this turn, which are written together. */
  let answers: Buffer[] = [];
  let [allowed, waived] = [0, 0];
  let isInMail = false;
  let isDeciding = false;
  let isWaiting = false;
  let isStopping = false;
  let isEnded = false;

  function finish(): void {
    if (isEnded) return;
    flush();
    isEnded = true;
    end();
  }

  function flush(): void {
    if (answers.length > 0 && !isEnded) write(Buffer.concat(answers));
    answers = [];
  }

  function forget(): void {
    collector.reset();
    isInMail = false;
  }

  function negotiate({ bytes, from, to }: PacketData): void {
    const version = to - from < 12 ? 0 : bytes.readUInt32BE(from);
    if (version < MIN_VERSION) {
      finish();
      return;
    }
    allowed = bytes.readUInt32BE(from + 4) & ALL_CHANGES;
    waived = bytes.readUInt32BE(from + 8) & ALL_WAIVED;
    answers.push(writePacket('O', Math.min(version, VERSION), allowed, waived));
  }

  function decideOn(): void {
    const forged = collector.forged();
    isDeciding = true;
    void decide(collector.mail()).then((decision) => {
      isDeciding = false;
      forget();
      if (isEnded) return;
      answers.push(replyTo(decision, forged, allowed));
      work();
    });
  }

  function handle(packet: MilterPacket): void {
    const { command } = packet;
    if (command === 'M') isInMail = true;
    if (command === 'L') collector.header(packet);
    if (command === 'L' && packet.isCut) collector.leaveOut();
    const isWaived = (waived & (STEPS.get(command) ?? 0)) !== 0;
    if (command === 'O') negotiate(packet);
    else if (command === 'D') readMacros(packet, collector.define);
    else if (command === 'E') decideOn();
    else if (command === 'A' || command === 'K') forget();
    else if (command === 'Q') finish();
    else if (!isWaived) answers.push(CONTINUE);
  }

  /** Handles packets; those beyond the bound of one turn wait for the next. */
  function work(): void {
    for (let handled = 0; !isDeciding && !isEnded; handled++) {
      if (handled === MAX_PACKETS_PER_TURN) {
        isWaiting = true;
        nextTurn(() => {
          isWaiting = false;
          work();
        });
        break;
      }
      // Between two mails nothing is lost by closing.
      const packet = isStopping && !isInMail ? 'malformed' : packets.next();
      if (packet === null) break;
      if (packet === 'malformed') finish();
      else handle(packet);
    }
    flush();
    if (!isWaiting && !isDeciding && !isEnded) resume?.();
  }

  return {
    receive(bytes) {
      if (isEnded) return;
      packets.push(bytes);
      if (!isWaiting) work();
    },
    isBusy: () => isDeciding || isWaiting,
    stop() {
      isStopping = true;
      if (!isWaiting) work();
    },
    close() {
      isEnded = true;
      packets.close();
      if (!isDeciding) forget();
    },
  };
}

/** Maximum number of macros that are read of a packet. */
const MAX_MACROS = 100;

/** Passes on the macros of a packet, which begins with the letter of the step that they belong to. */
function readMacros(data: PacketData, define: (name: string, value: string) => void): void {
  const { bytes, to } = data;
  for (let at = data.from + 1, count = 0; at < to && count < MAX_MACROS; count++) {
    const nameEnd = endOfText(data, at);
    const end = endOfText(data, nameEnd + 1);
    // Only what may be one of them becomes a text.
    const name = nameEnd - at > MAX_MACRO_NAME ? '' : bytes.toString('latin1', at, nameEnd);
    if (MACROS.has(name) && nameEnd < to) define(name, bytes.toString('latin1', nameEnd + 1, end));
    at = end + 1;
  }
}
