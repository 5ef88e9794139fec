import { writePacket } from './milter-packet.ts';

/** Instruction to the mail server. */
export interface MilterDecision {
  /** Value of `X-Lurecheck`. */
  readonly mark: string;
  /** True if the mail is blocked: `X-Lurecheck-Flag` is added. */
  readonly isFlagged: boolean;
  readonly action: 'accept' | 'quarantine' | 'reject';
}

/** Changes that a mail server allows (`SMFIF_ADDHDRS`, `SMFIF_CHGHDRS`, `SMFIF_QUARANTINE`). */
export const MAIL_CHANGES = { addHeader: 0x01, changeHeader: 0x10, quarantine: 0x20 } as const;

/** Continue: `SMFIR_CONTINUE`. */
export const CONTINUE = writePacket('c');

/** Maximum length of a header, in characters. */
const MAX_MARK = 900;

/**
 * Returns the answer to the end of a mail; it never loses or delays a mail. Headers of these names in the mail are
 * removed, the last first, since a removal renumbers the following ones.
 *
 * @param allowed changes that the mail server allows, see {@link MAIL_CHANGES}
 */
export function replyTo(
  { mark, isFlagged, action }: MilterDecision,
  forged: ReadonlyMap<string, number>,
  allowed: number,
): Buffer {
  if (action === 'reject') return writePacket('y', '550 5.7.1 This message is blocked as phishing');
  const packets: Buffer[] = [];
  if (allowed & MAIL_CHANGES.changeHeader) {
    for (const [name, count] of forged) packets.push(removals(name, count));
  }
  if (allowed & MAIL_CHANGES.addHeader) {
    packets.push(writePacket('h', 'X-Lurecheck', mark.replace(/[^\x20-\x7e]+/g, ' ').slice(0, MAX_MARK)));
    if (isFlagged) packets.push(writePacket('h', 'X-Lurecheck-Flag', 'YES'));
  }
  if (action === 'quarantine' && allowed & MAIL_CHANGES.quarantine)
    packets.push(writePacket('q', 'lurecheck: this message is blocked as phishing'));
  return Buffer.concat([...packets, CONTINUE]);
}

/** Place of the index in a packet that changes a header, in bytes: behind the length and the command. */
const INDEX_AT = 5;

/** Returns the packets that remove all headers of a name, in one piece: a mail may have a hundred thousand. */
function removals(name: string, count: number): Buffer {
  const one = writePacket('m', 0, name, '');
  const all = Buffer.alloc(count * one.length, one);
  for (let at = 0; at < count; at++) all.writeUInt32BE(count - at, at * one.length + INDEX_AT);
  return all;
}
