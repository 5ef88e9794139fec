import { deserialize, serialize } from 'bun:jsc';
import { type PageDocument, type PassingMembers, withPassing } from '#src/network/html/document.ts';

/** Members that the serving thread reads of every page; the rest is read by the analyzing thread and by exports. */
const EAGER_MEMBERS = ['title', 'forms', 'refreshes', 'limits', 'exits', 'content'] as const;

/** A page as it is passed between threads; the serving thread deserializes `eager` alone. */
export interface PackedPage {
  readonly eager: Pick<PageDocument, (typeof EAGER_MEMBERS)[number]>;
  /** Members of the document that are not in `whole`. */
  readonly passing: PassingMembers;
  /** Names of the document's members, in order. */
  readonly members: readonly string[];
  /** The serialized document, in memory that the threads share. */
  readonly whole: SharedArrayBuffer;
}

/** Serializes a page for another thread. */
export function packPage(document: PageDocument): PackedPage {
  const { title, forms, refreshes, limits, exits, content, cookies = [], iconData } = document;
  return {
    eager: { title, forms, refreshes, limits, exits, ...(content && { content }) },
    passing: { cookies, ...(iconData !== undefined && { iconData }) },
    members: Object.keys(document),
    whole: serialize(document),
  };
}

/** Returns the packed page; members other than `eager` are deserialized on first access. */
export function unpackPage({ eager, passing, members, whole }: PackedPage): PageDocument {
  let opened: PageDocument | null = null;
  const open = () => {
    opened ??= unpackDocument(whole);
    return opened;
  };
  const document: Record<string, unknown> = {};
  for (const member of members) {
    const get = () => Reflect.get(Object.hasOwn(eager, member) ? eager : open(), member);
    Object.defineProperty(document, member, { get, enumerable: true });
  }
  // Every packed member has a getter.
  return withPassing(document as unknown as PageDocument, passing);
}

/** Deserializes {@link PackedPage.whole}. */
export function unpackDocument(whole: SharedArrayBuffer): PageDocument {
  return deserialize(whole);
}
