/** Headers that lurecheck adds, in lower case. A mail that arrives with them has them removed. */
export const OWN_HEADERS = ['x-lurecheck', 'x-lurecheck-flag'] as const;

/** A mail as the mail server passed it on, within its bounds. */
export interface ReceivedMail {
  /** Number of the mail at the mail server; null if it stated none. */
  readonly queueId: string | null;
  /** True if the sender authenticated to the mail server. */
  readonly isAuthenticated: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** False if the mail is longer than what is collected. */
  readonly isWhole: boolean;
}

/** Collects the mails of one connection, one after the other. */
export interface MailCollector {
  define(macros: ReadonlyMap<string, string>): void;
  header(name: Buffer, value: Buffer): void;
  body(bytes: Buffer): void;
  mail(): ReceivedMail;
  /** How often each header of {@link OWN_HEADERS} came with the mail. */
  forged(): ReadonlyMap<string, number>;
  /** Forgets the mail and its sender, and releases the memory. */
  reset(): void;
}

/** Memory that all collected mails share. */
export interface MailRoom {
  /** Takes bytes; false if there is no room for them. */
  take(bytes: number): boolean;
  release(bytes: number): void;
}

/** Maximum length of what is collected of a mail, in bytes: Base64 of 1 MiB of text, and its headers. */
export const MAX_MAIL_BYTES = 2 * 1024 * 1024;

/** Maximum length of a queue id that is recorded, in characters. */
const MAX_QUEUE_ID = 64;

/** Creates the memory for mails that are collected at the same time. */
export function createMailRoom(mostBytes: number): MailRoom {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > mostBytes) return false;
      taken += bytes;
      return true;
    },
    release(bytes) {
      taken -= bytes;
    },
  };
}

/** Creates a collector without a mail. */
export function createMailCollector(room: MailRoom): MailCollector {
  let pieces: Buffer[] = [];
  let size = 0;
  let isWhole = true;
  let hasBody = false;
  let forged = new Map<string, number>();
  let macros = new Map<string, string>();

  function add(bytes: Buffer): void {
    const fitting = bytes.subarray(0, MAX_MAIL_BYTES - size);
    const hasRoom = isWhole && room.take(fitting.length);
    if (hasRoom) {
      pieces.push(fitting);
      size += fitting.length;
    }
    isWhole &&= hasRoom && fitting.length === bytes.length;
  }

  return {
    define(next) {
      for (const [name, value] of next) if (name === 'i' || name === '{auth_authen}') macros.set(name, value);
    },
    header(name, value) {
      const key = name.toString('latin1').trim().toLowerCase();
      if (OWN_HEADERS.some((own) => own === key)) forged.set(key, (forged.get(key) ?? 0) + 1);
      else add(Buffer.concat([name, Buffer.from(': '), value, Buffer.from('\r\n')]));
    },
    body(bytes) {
      if (!hasBody) add(Buffer.from('\r\n'));
      hasBody = true;
      add(bytes);
    },
    mail() {
      const queueId =
        macros
          .get('i')
          ?.replace(/[^\w.-]/g, '')
          .slice(0, MAX_QUEUE_ID) || null;
      const isAuthenticated = (macros.get('{auth_authen}') ?? '') !== '';
      return { queueId, isAuthenticated, bytes: new Uint8Array(Buffer.concat(pieces)), isWhole };
    },
    forged: () => forged,
    reset() {
      room.release(size);
      pieces = [];
      [size, isWhole, hasBody] = [0, true, false];
      forged = new Map();
      macros = new Map();
    },
  };
}
