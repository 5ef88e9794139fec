/**
 * Gives the memory of bytes back at once. The garbage collector would do so once there is more garbage than several large
 * mails have bytes. The bytes are empty afterwards.
 */
export function release(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}
