import { visibleInTerminal } from '#src/base/foreign-text.ts';
import { obstacleOf } from '#src/base/named-file.ts';
import type { MessageLink } from '#src/message/message-link.ts';
import { type Invocation, UsageError } from '../command.ts';
import type { Io } from '../io.ts';

/**
 * The links of a message in a file, or on standard input where the path is `-`. What in it was not looked into is told on
 * stderr.
 *
 * @throws UsageError where the file cannot be read, or is no text.
 */
export async function readMessageLinks(
  path: string,
  { isQuiet }: Pick<Invocation, 'isQuiet'>,
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
): Promise<readonly MessageLink[]> {
  const place = path === '-' ? 'standard input' : path;
  const bytes = path === '-' ? Buffer.concat(await Array.fromAsync(stdin)) : await readBytes(path);
  const { readMessage } = await import('#src/message/read-message.ts');
  const message = await readMessage(bytes, path);
  if (message === null) throw new UsageError(`${place} is neither a mail nor HTML nor text: save it as .eml or .html`);
  const { links, pictures, unread } = message;
  const names = [...pictures.map(({ name }) => name), ...unread].map(visibleInTerminal).join(', ');
  if (names !== '' && !isQuiet) await stderr.write(`lurecheck: not looked into: ${names}\n`);
  if (links.length === 0 && !isQuiet) await stderr.write(`lurecheck: no link in ${place}\n`);
  return links;
}

async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await Bun.file(path).bytes();
  } catch (cause) {
    throw new UsageError(`${path} ${obstacleOf(cause)}`, { cause });
  }
}
