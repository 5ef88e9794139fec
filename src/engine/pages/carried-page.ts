import { deserialize, serialize } from 'bun:jsc';
import type { PageDocument } from '#src/network/html/document.ts';

/** What the serving thread itself asks of a page; all else is for the thread that judges it, and for who wants it printed. */
const AT_HAND = ['title', 'forms', 'refreshes', 'limits', 'exits'] as const;

/** A page on its way between threads: to take it costs the serving thread no more than what it needs of it. */
export interface CarriedPage {
  readonly atHand: Pick<PageDocument, (typeof AT_HAND)[number]>;
  /** The members of the document, in their order. */
  readonly members: readonly string[];
  /** The whole document, written down; memory that the threads share. */
  readonly whole: SharedArrayBuffer;
}

/** Makes a page ready for another thread. */
export function packPage(document: PageDocument): CarriedPage {
  const { title, forms, refreshes, limits, exits } = document;
  return {
    atHand: { title, forms, refreshes, limits, exits },
    members: Object.keys(document),
    whole: serialize(document),
  };
}

/** The page as it was packed: the rest of it is opened when it is first asked for. */
export function unpackPage({ atHand, members, whole }: CarriedPage): PageDocument {
  let opened: PageDocument | null = null;
  const open = () => {
    opened ??= readWhole(whole);
    return opened;
  };
  const document: Record<string, unknown> = {};
  for (const member of members) {
    const get = () => Reflect.get(Object.hasOwn(atHand, member) ? atHand : open(), member);
    Object.defineProperty(document, member, { get, enumerable: true });
  }
  // It has each member that was packed.
  return document as unknown as PageDocument;
}

/** The document that {@link packPage} wrote down. */
export function readWhole(whole: SharedArrayBuffer): PageDocument {
  return deserialize(whole);
}
