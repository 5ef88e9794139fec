import { looksLikeHtml, looksLikeMail } from '#src/engine/message/kind.ts';
import { isProse } from './prose.ts';

/** Pasted, dropped or chosen content, copied while its event lasts. */
export interface Given {
  readonly html: string;
  readonly text: string;
  readonly files: readonly File[];
}

/** Reads the content of an event. */
export function givenBy(data: DataTransfer | null): Given {
  return {
    html: data?.getData('text/html') ?? '',
    text: data?.getData('text/plain') || data?.getData('text/uri-list') || '',
    files: [...(data?.files ?? [])],
  };
}

/** A line of a code that is drawn with characters. */
const DRAWN = /[\u2580-\u2588]{5}|#{12}/;

/** Returns true if there may be links that the text by itself does not show, or it is the text of a message. */
export function mayHideLinks({ html, text, files }: Given): boolean {
  const isMarked = looksLikeHtml(text) || looksLikeMail(text) || DRAWN.test(text) || hasHead(text) || isProse(text);
  return files.length > 0 || html.trim() !== '' || isMarked;
}

/** Returns true for a text with a mail address and a line below it, as in the head of a copied mail. */
function hasHead(text: string): boolean {
  const at = text.search(/\S@\S/);
  const end = at === -1 ? -1 : text.indexOf('\n', at);
  return end !== -1 && /\S/.test(text.slice(end));
}
