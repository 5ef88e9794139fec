import { deserialize, serialize } from 'bun:jsc';
import type { Target } from '#src/core/url/target.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { ViewSubject } from '#src/engine/analyzers/page/page-view.ts';
import type { AnalyzedPage } from '#src/engine/analyzers/page.ts';
import { type PageDocument, type PassingMembers, withPassing } from '#src/network/html/document.ts';
import type { HtmlLimits } from '#src/network/html/limits.ts';
import type { PageSource } from '#src/network/html/read-page.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import type { ThreadControl } from './thread-control.ts';

/** Members that the serving thread reads of every page; the rest is read by the analyzing thread and by exports. */
const EAGER_MEMBERS = ['title', 'forms', 'refreshes', 'limits', 'exits', 'content'] as const;

/** A page as it is passed between threads; the serving thread deserializes `eager` alone. */
interface PackedPage {
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

/** A page to read or analyze in another thread. */
export type PageTask = ReadTask | AnalyzeTask;

/** A message to a page thread. */
export interface PageMessage {
  readonly task: PageTask;
  readonly control: ThreadControl;
}

/** The answer is a {@link PageAnswers.read}. */
export interface ReadTask {
  readonly kind: 'read';
  readonly bytes: Uint8Array;
  readonly source: PageSource;
  readonly limits: HtmlLimits;
}

/** The answer is a {@link PageAnswers.analyze}. */
export interface AnalyzeTask {
  readonly kind: 'analyze';
  readonly target: Target;
  /** The visit without its page. */
  readonly visit: Omit<PageVisit, 'document'>;
  readonly page: PackedPage['whole'];
  readonly hosts: Pick<ViewSubject['observations'], 'certificate' | 'landing'>;
  readonly configuredBrands: readonly ConfiguredBrand[];
}

/** Result of each kind of task. */
export interface PageAnswers {
  readonly read: PackedPage;
  readonly analyze: AnalyzedPage | null;
}
