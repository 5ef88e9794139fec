import { readInThread } from '#src/app/message/message-thread.ts';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Message, UNREAD_MESSAGE, unreadParts } from '#src/engine/message/message.ts';
import { MAX_MESSAGE_BYTES } from '#src/engine/message/read-message.ts';
import { withSenders } from '#src/engine/message/sender-link.ts';
import { type Invocation, UsageError } from '../command.ts';

/**
 * Reads a message from a file, or from standard input if the path is `-`. Unread parts are reported on stderr.
 *
 * @param servers names whose authentication results are believed beside that of the receiving server
 * @throws UsageError if the file cannot be read or is not text
 */
export async function readMessageFile(
  path: string,
  servers: readonly string[],
  { isQuiet, resolvePath }: Pick<Invocation, 'isQuiet' | 'resolvePath'>,
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
): Promise<Message> {
  const place = path === '-' ? 'standard input' : path;
  const bytes = path === '-' ? await readStream(stdin) : await readBytes(path, resolvePath(path));
  if (bytes.length > MAX_MESSAGE_BYTES)
    throw new UsageError(`${place} is larger than a message: expected at most ${MAX_MESSAGE_BYTES / 1024 ** 2} MiB`);
  const read = await readInThread(bytes, path, { servers, isReceived: true });
  if (read === 'ended') return UNREAD_MESSAGE;
  if (read === null)
    throw new UsageError(`${place} is neither a mail nor HTML nor text: save it as .eml, .msg or .html`);
  const links = withSenders(read.links, read.head?.from.map(({ address }) => address) ?? []);
  const message = { ...read, links };
  const { nonWeb } = message;
  const unread = unreadParts(message).map(visibleInTerminal).join(', ');
  if (unread !== '' && !isQuiet) await stderr.write(`lurecheck: not read: ${unread}\n`);
  for (const { kind, target, words } of isQuiet ? [] : nonWeb) {
    const behind = words === null ? '' : ` behind "${visibleInTerminal(words)}"`;
    await stderr.write(`lurecheck: not a web address, not checked: ${kind}${behind}: ${visibleInTerminal(target)}\n`);
  }
  const isRead = message.isWhole && unread === '';
  if (links.length === 0 && isRead && !isQuiet) await stderr.write(`lurecheck: no links in ${place}\n`);
  return message;
}

/** Reads one byte more than the limit, so that a longer message is recognised. */
async function readStream(stdin: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_MESSAGE_BYTES) break;
  }
  return new Uint8Array(Buffer.concat(chunks, Math.min(length, MAX_MESSAGE_BYTES + 1)));
}

async function readBytes(path: string, place: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await Bun.file(place)
      .slice(0, MAX_MESSAGE_BYTES + 1)
      .bytes();
  } catch (cause) {
    throw new UsageError(`${path} ${readErrorText(cause)}`, { cause });
  }
}
