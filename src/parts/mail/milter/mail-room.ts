/** Memory that all mails and packets that are being received share. */
export interface MailRoom {
  /** Takes bytes; false if there is no room for them. */
  take(bytes: number): boolean;
  release(bytes: number): void;
}

/** Creates the memory for what is collected at the same time. */
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
