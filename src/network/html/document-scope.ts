import { resolveUrl } from './addresses.ts';
import type { ContentPolicies } from './content-policy.ts';
import type { PageOrigin } from './document.ts';
import type { FrameElement } from './styles/style-sheet.ts';

/** A document that is being read: the page itself, or one that a frame of it carries. */
export interface DocumentScope {
  /** Address that a form without an action is sent to; null if that is no place on the web. */
  readonly url: string | null;
  /** Base of relative addresses; null if unknown. */
  readonly baseUrl: string | null;
  /** The `href` of the `base` element that a browser uses, as written; null if there is none. */
  readonly base: string | null;
  readonly policies: ContentPolicies;
  /** False if a sandbox prevents forms from being submitted. */
  readonly allowsForms: boolean;
  /** Element whose document a refresh replaces; null if it is the page itself, or if nothing is refreshed. */
  readonly frame: FrameElement | null;
  /** True once the head has ended, after which policies of `meta` elements are ignored. */
  isInBody: boolean;
  /** True once an element prevents a `frameset` from replacing the body. */
  isBodyStored: boolean;
  /** Takes the `href` of a `base` element; a browser uses only the first one. */
  addBase(href: string, origin: PageOrigin): void;
  /** Takes the policies of a `meta` element. */
  addPolicies(content: string): void;
  /** False if the address is relative to a `base` that only a script may write. */
  isBaseKnownFor(address: string): boolean;
}

/** Initial state of a document. */
export interface ScopeStart {
  readonly url: string | null;
  /** The base URL without a `base` element. */
  readonly fallbackUrl: () => string | null;
  readonly policies: ContentPolicies;
  /** False if a sandbox prevents forms from being submitted. */
  readonly allowsForms: boolean;
  /** See {@link DocumentScope.frame}. */
  readonly frame: FrameElement | null;
}

/** A `base` element that was met. */
interface Base {
  readonly href: string;
  readonly isAllowed: boolean;
  /** True if it, or one before it, may only be written by a script. */
  readonly isWritten: boolean;
}

const ABSOLUTE = /^[\0-\x20]*[a-z][a-z0-9+.-]*:/i;

/** A document of which nothing has been read. */
export function createScope({ url, fallbackUrl, policies, allowsForms, frame }: ScopeStart): DocumentScope {
  let base: Base | null = null;
  let active = policies;
  /** Browsers never use `data:` and `javascript:` as a base; nothing is relative to an invalid address. */
  const baseOf = ({ href, isAllowed }: Base) => {
    const named = resolveUrl(href, fallbackUrl());
    return !isAllowed || (named !== null && /^(?:data|javascript):/.test(named)) ? fallbackUrl() : named;
  };
  return {
    url,
    get baseUrl() {
      return base === null ? fallbackUrl() : baseOf(base);
    },
    get base() {
      return base?.href ?? null;
    },
    get policies() {
      return active;
    },
    allowsForms,
    frame,
    isInBody: false,
    isBodyStored: false,
    addBase(href, origin) {
      const isWritten = origin === 'written';
      if (base !== null && (isWritten || !base.isWritten)) return;
      const named = resolveUrl(href, fallbackUrl());
      base = { href, isAllowed: named === null || active.allowsBase(named), isWritten: isWritten || base !== null };
    },
    addPolicies(content) {
      active = active.withMeta(content);
    },
    isBaseKnownFor: (address) => !base?.isWritten || ABSOLUTE.test(address),
  };
}
