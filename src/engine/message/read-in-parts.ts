import type { AuthenticationTrust } from './authentication-results.ts';
import type { Message } from './message.ts';
import { withoutRepeats } from './message-link.ts';
import { readMessage } from './read-message.ts';
import { createReading } from './reading.ts';

/** Findings of a message, or in a part from its beginning. */
export interface MessagePart {
  readonly message: Message | null;
  readonly isPart: boolean;
}

/** Size of the first part, in bytes, and how much larger each further part is. */
const FIRST_PART = 64 * 1024;
const GROWTH = 16;

/**
 * Reads a message as {@link readMessage} does, but first its beginning, so that what its reader found is known even if
 * the rest takes too long. Yields what was found in growing parts, last in the whole; parts have `isWhole` false.
 */
export async function* readInParts(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  isSpent: () => boolean,
  trust: AuthenticationTrust,
): AsyncGenerator<MessagePart> {
  let found: Message | null = null;
  for (let size = FIRST_PART; 2 * size <= bytes.length; size *= GROWTH) {
    const part = joined(await readMessage(bytes.slice(0, size), name, isSpent, null, trust), found);
    found = part && { ...part, isWhole: false };
    yield { message: found, isPart: true };
  }
  yield { message: joined(await readMessage(bytes, name, isSpent, null, trust), found), isPart: false };
}

/** Returns a message with the links of an earlier part of it, which count if it was not read that far. */
function joined(message: Message | null, part: Message | null): Message | null {
  if (message === null || part === null || message.isWhole) return message;
  return { ...message, links: withoutRepeats([...message.links, ...part.links], createReading()) };
}
