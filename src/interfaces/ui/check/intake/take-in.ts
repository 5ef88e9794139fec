import { looksLikeHtml } from '#src/engine/message/kind.ts';
import type { Message } from '#src/engine/message/message.ts';
import type { MessagePicture } from '#src/engine/message/pictures.ts';
import { senderLinks, withSenders } from '#src/engine/message/sender-link.ts';
import { linksInText } from '#src/engine/message/text/links-in-text.ts';
import { quotedSenders } from '#src/engine/message/text/quoted-senders.ts';
import { noteMail } from '../../mail/opened-mail.ts';
import { readApart } from '../../reader/message-reader.ts';
import type { Given } from './given.ts';
import type { Intake, IntakeProblem } from './intake-problem.ts';
import { isProse } from './prose.ts';

/** Larger files are not messages, in bytes. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** Pictures of one message that are searched for codes. */
const MAX_PICTURES = 30;

/**
 * Finds the links in rich text, mail sources, files and codes of pictures. The input is read as text; none of it is
 * rendered or loaded. The readers are fetched from the service when first needed.
 *
 * @throws Error if they cannot be fetched.
 */
export async function takeIn({ html, text, files }: Given): Promise<Intake> {
  const rich = html.trim() === '' ? NOTHING : await takeRichText(html, text);
  const hasFound = rich.links.length + rich.nonWeb.length > 0;
  if (files.length > 0) {
    const taken = await Promise.all(files.map(takeFile));
    // A picture of the rich text accompanies it; a picture without a code is not a problem then.
    return joined([rich, ...(hasFound ? taken.map(withoutProblems) : taken)]);
  }
  if (hasFound) return rich;
  const bytes = new TextEncoder().encode(text);
  const message = await readMessage(bytes, '');
  if (message === null) return NOTHING;
  const found = await takeWhole(message, null, bytes);
  if (message.head !== null || !isProse(text)) return found;
  return { ...found, mail: noteMail(found.links, message, asMail(looksLikeHtml(text) ? 'html' : 'plain', text)) };
}

/** Reads rich text, with the senders that a copied mail names. */
async function takeRichText(html: string, text: string): Promise<Intake> {
  const message = await readApart({ kind: 'markup', html });
  if (message === null) return NOTHING;
  const found = await takeMessage(message, null);
  const links = [...found.links, ...senderLinks(quotedSenders(text))];
  return { ...found, links, mail: isProse(text) ? noteMail(links, message, asMail('html', html)) : null };
}

async function takeFile(file: File): Promise<Intake> {
  if (/^image\/(?!svg)/.test(file.type)) return await takePicture(file, file.name);
  const bytes = file.size > MAX_FILE_BYTES ? null : new Uint8Array(await file.arrayBuffer());
  const message = bytes && (await readMessage(bytes, file.name));
  if (!message) return problem({ key: unreadKey(file.name), name: file.name });
  return await takeWhole(message, file.name, bytes);
}

const unreadKey = (name: string) => (/\.pdf$/i.test(name) ? 'check.file.pdf' : 'check.file.unread');

/** Reads a message, with its head if it is a mail. */
async function takeWhole(message: Message, name: string | null, bytes: Uint8Array<ArrayBuffer>): Promise<Intake> {
  const found = await takeMessage(message, name);
  const links = withSenders(found.links, message.head?.from.map(({ address }) => address) ?? []);
  return { ...found, links, mail: message.head && noteMail(links, message, bytes) };
}

/** The links of a message and those of its pictures; of a file that holds nothing, that is said. */
async function takeMessage(
  { links, nonWeb, pictures, unread, isWhole }: Pick<Message, 'links' | 'nonWeb' | 'pictures' | 'unread' | 'isWhole'>,
  name: string | null,
): Promise<Intake> {
  const ofPictures = joined(await Promise.all(pictures.slice(0, MAX_PICTURES).map(takeCarried)));
  const unlooked = [...unread, ...pictures.slice(MAX_PICTURES).map((picture) => picture.name)];
  const problems: IntakeProblem[] = unlooked.map((one) => ({ key: unreadKey(one), name: one }));
  if (!isWhole) problems.push({ key: 'check.file.partly', name: name ?? '' });
  const found = joined([{ links, nonWeb, problems, mail: null }, ofPictures]);
  const isEmpty = found.links.length + found.nonWeb.length + problems.length === 0;
  return isEmpty && name !== null ? problem({ key: 'check.file.noLink', name }) : found;
}

/** A picture within a message: most hold no code, and need none. */
async function takeCarried({ bytes, contentType, name }: MessagePicture): Promise<Intake> {
  const { links, nonWeb } = await takePicture(new Blob([bytes], { type: contentType }), name);
  return { ...NOTHING, links: links.map((link) => ({ ...link, file: name })), nonWeb };
}

async function takePicture(picture: Blob, name: string): Promise<Intake> {
  const { readCodes } = await import('./picture-code.ts');
  const texts = await readCodes(picture);
  if (texts.length === 0) return problem({ key: 'check.picture.noCode', name });
  return joined(
    texts.map((text) => {
      const { links } = linksInText(text, undefined, true);
      return links.length > 0 ? { ...NOTHING, links } : problem({ key: 'check.picture.noLink', name, text });
    }),
  );
}

async function readMessage(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Message | null> {
  return await readApart({ kind: 'message', bytes, name });
}

/** Returns a mail without a sender, of a text or HTML. */
function asMail(subtype: 'plain' | 'html', content: string): Uint8Array<ArrayBuffer> {
  const head = `MIME-Version: 1.0\r\nContent-Type: text/${subtype}; charset=utf-8\r\n\r\n`;
  return new TextEncoder().encode(head + content);
}

const NOTHING: Intake = { links: [], nonWeb: [], problems: [], mail: null };

const problem = (one: IntakeProblem): Intake => ({ ...NOTHING, problems: [one] });

const withoutProblems = (intake: Intake): Intake => ({ ...intake, problems: [] });

function joined(intakes: readonly Intake[]): Intake {
  return {
    links: intakes.flatMap(({ links }) => links),
    nonWeb: intakes.flatMap(({ nonWeb }) => nonWeb),
    problems: intakes.flatMap(({ problems }) => problems),
    mail: intakes.find(({ mail }) => mail !== null)?.mail ?? null,
  };
}
