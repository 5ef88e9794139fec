import { looksLikeHtml, looksLikeMail } from '#src/message/kind.ts';
import { linksInText } from '#src/message/links-in-text.ts';
import type { MessageLink } from '#src/message/message-link.ts';
import type { Message } from '#src/message/read-message.ts';

/** What somebody pasted, dropped or chose, taken over while its event lasts. */
export interface Given {
  readonly html: string;
  readonly text: string;
  readonly files: readonly File[];
}

/** What cannot be read, and the name of the file in which it stands. */
export interface IntakeProblem {
  readonly key: 'check.file.unread' | 'check.file.noLink' | 'check.picture.noCode' | 'check.picture.noLink';
  readonly name: string;
  /** What the code says that is no link. */
  readonly text?: string;
}

/** The links that were found, and what was looked into without finding any. */
export interface Intake {
  readonly links: readonly MessageLink[];
  readonly problems: readonly IntakeProblem[];
}

/** Larger files are not messages, in bytes. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** Pictures of one mail that are searched for a code. */
const MAX_PICTURES = 10;

/** What an event brought. */
export function givenBy(data: DataTransfer | null): Given {
  return {
    html: data?.getData('text/html') ?? '',
    text: data?.getData('text/plain') || data?.getData('text/uri-list') || '',
    files: [...(data?.files ?? [])],
  };
}

/** Whether there may be links that the text by itself does not show. */
export function mayHideLinks({ html, text, files }: Given): boolean {
  return files.length > 0 || html.trim() !== '' || looksLikeHtml(text) || looksLikeMail(text);
}

/**
 * Finds the links behind what was given: in rich text, in the source of a mail, in files, and in the codes of pictures. It is
 * read as text, and nothing of it is shown or loaded. The readers come from the service when they are first needed.
 *
 * @throws Error where they do not come.
 */
export async function takeIn({ html, text, files }: Given): Promise<Intake> {
  const links = html.trim() === '' ? [] : (await import('#src/message/links-in-html.ts')).linksInHtml(html);
  if (links.length > 0) return { links, problems: [] };
  if (files.length > 0) return joined(await Promise.all(files.map(takeFile)));
  const message = await readMessage(new TextEncoder().encode(text), '');
  return { links: message?.links ?? [], problems: [] };
}

async function takeFile(file: File): Promise<Intake> {
  if (/^image\/(?!svg)/.test(file.type)) return await takePicture(file, file.name);
  const bytes = file.size > MAX_FILE_BYTES ? null : new Uint8Array(await file.arrayBuffer());
  const message = bytes && (await readMessage(bytes, file.name));
  if (!message) return problem({ key: 'check.file.unread', name: file.name });
  const pictures = await Promise.all(
    message.pictures
      .slice(0, MAX_PICTURES)
      .map(({ bytes, contentType, name }) => takePicture(new Blob([bytes], { type: contentType }), name)),
  );
  const codes = joined(pictures.map((one) => (one.links.length > 0 ? one : NOTHING)));
  const links = [...message.links, ...codes.links];
  const unread = message.unread.map((name) => ({ key: 'check.file.unread', name }) as const);
  if (links.length > 0 || unread.length > 0) return { links, problems: unread };
  return problem({ key: 'check.file.noLink', name: file.name });
}

async function takePicture(picture: Blob, name: string): Promise<Intake> {
  const { readCode } = await import('./picture-code.ts');
  const text = await readCode(picture);
  if (text === null) return problem({ key: 'check.picture.noCode', name });
  const { links } = linksInText(text);
  return links.length > 0 ? { links, problems: [] } : problem({ key: 'check.picture.noLink', name, text });
}

async function readMessage(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Message | null> {
  return await (await import('#src/message/read-message.ts')).readMessage(bytes, name);
}

const NOTHING: Intake = { links: [], problems: [] };

const problem = (one: IntakeProblem): Intake => ({ links: [], problems: [one] });

function joined(intakes: readonly Intake[]): Intake {
  return {
    links: intakes.flatMap(({ links }) => links),
    problems: intakes.flatMap(({ problems }) => problems),
  };
}
