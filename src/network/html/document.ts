import type { FrameSize } from './styles/style-sheet.ts';

/** A page as a browser would show it, as plain JSON. The parser creates it, analyzers classify it. */
export interface PageDocument {
  /** The address that the page came from. */
  readonly url: string;
  /** The name of its character encoding (WHATWG Encoding), lower case. */
  readonly encoding: string;
  /** Budgets that were used up while it was read; empty if all of it was seen. */
  readonly limits: readonly PageLimit[];
  /** The `lang` attribute of the root element; null if it has none. */
  readonly language: string | null;
  /** Text of the first `title` outside drawings, at most 1,024 characters of it; null if there is none. */
  readonly title: string | null;
  /** The `href` of the `base` element that a browser uses, as written; null if there is none. */
  readonly base: string | null;
  /** Base of relative addresses. */
  readonly baseUrl: string;
  /** `content` of `meta` elements by lower-case `name` or `property`, and `canonical` from its `link`. */
  readonly meta: Readonly<Record<string, string>>;
  /** Text of `h1`, `h2` and `h3`, and of `legend`. */
  readonly headings: readonly string[];
  readonly visibleText: string;
  /** Text that an inline style or a `hidden` attribute hides. */
  readonly hiddenText: string;
  readonly comments: readonly string[];
  readonly forms: readonly PageForm[];
  readonly links: readonly PageLink[];
  readonly assets: readonly PageAsset[];
  readonly frames: readonly PageFrame[];
  readonly refreshes: readonly PageRefresh[];
  /** Addresses to which it leads without a redirect or refresh; see `findExits`. */
  readonly exits: readonly PageExit[];
  readonly scripts: PageScripts;
  /** Cookies that scripts set before they load a page, as written; absent if there are none. See `withPassing`. */
  readonly cookies?: readonly string[];
  /** `data:` address of its icon; absent if it has none. See `withPassing`. */
  readonly iconData?: string;
  /**
   * The same bytes in another encoding; absent if there is only one way to read them. Which one a visitor sees depends on
   * the browser.
   */
  readonly alternative?: PageDocument;
  /** Number of each that the parser found, including those beyond the limits of the lists. */
  readonly counts: PageCounts;
  /** Absent in observations of an earlier version; see `contentOf`. */
  readonly content?: PageContent;
}

/** How much a page shows by itself. */
export interface PageContent {
  /** True if that is hardly anything: no form that asks for something, and next to no text. */
  readonly isBare: boolean;
  /** True if the page may be there to lead on: it has little text and asks for nothing. */
  readonly isShort: boolean;
  /**
   * Part that a browser shows and that the document lacks: what a script draws, the page in a frame, or what is in a picture;
   * null if none.
   */
  readonly unread: 'script' | 'frame' | 'picture' | null;
  /** Addresses of the first scripts of the page's own site, if scripts draw it. */
  readonly ownScripts: readonly string[];
}

/**
 * A budget that can be used up. What is behind the end of `characters`, `work` and `time` was not read: `work` is
 * counted, `time` is that of the check. `transform` is a style sheet that makes another document of this one (XSLT), which
 * was not read.
 */
export type PageLimit = 'time' | 'work' | 'characters' | 'depth' | 'attributes' | 'text' | 'items' | 'transform';

/** Members of a document that only its visit uses. */
export type PassingMembers = Pick<PageDocument, 'cookies' | 'iconData'>;

/**
 * Adds the cookies that a visit sends on, and the icon that it compares. The members are not enumerable, so that they are
 * in no record and no export, and the document need not be copied without them.
 */
export function withPassing(document: PageDocument, { cookies = [], iconData }: PassingMembers): PageDocument {
  if (cookies.length > 0) Object.defineProperty(document, 'cookies', { value: cookies });
  return iconData === undefined ? document : Object.defineProperty(document, 'iconData', { value: iconData });
}

/** Limits behind which nothing of a page was read. */
const ENDING: readonly PageLimit[] = ['time', 'work', 'characters'];

/** Returns true if a browser shows another document than this one. */
export function isTransformed({ limits }: Pick<PageDocument, 'limits'>): boolean {
  return limits.includes('transform');
}

/** Returns true if a document was parsed to the end of the bytes that were given. */
export function isReadToEnd({ limits }: Pick<PageDocument, 'limits'>): boolean {
  return !limits.some((limit) => ENDING.includes(limit));
}

/**
 * Place of content in the page: `template` is inert until script clones it; `written` is
 * constant markup that a script writes.
 */
export type PageOrigin = 'page' | 'noscript' | 'template' | 'shadow' | 'srcdoc' | 'written';

/** A form, with its target resolved against the page's base URL. */
export interface PageForm {
  /**
   * Absolute URL of its target, cut to 1,024 characters; null if a browser sends the form nowhere on the web, or only
   * script determines the target.
   */
  readonly action: string | null;
  /** The `action` attribute as it was written, at most 1,024 characters of it; null if there is none. */
  readonly actionAttribute: string | null;
  readonly method: 'get' | 'post' | 'dialog';
  readonly fields: readonly PageField[];
  /** Absolute URLs that its buttons send it to instead (`formaction`), each cut likewise. */
  readonly buttonActions: readonly string[];
  /** Texts of its buttons. */
  readonly buttonTexts: readonly string[];
  /** True if an event handler of the form may send it elsewhere. */
  readonly scripted: boolean;
  /** False for fields outside any `form` element, which are collected in a form of their own. */
  readonly element: boolean;
  readonly origin: PageOrigin;
}

/** Kind of a field, as far as its type, name, label and placeholder determine it. */
export type FieldKind =
  | 'password'
  | 'card_number'
  | 'card_code'
  | 'one_time_code'
  | 'seed_phrase'
  | 'identity_number'
  | 'bank_account'
  | 'email'
  | 'phone'
  | 'user_name'
  | 'search'
  | 'file'
  | 'hidden'
  | 'other';

export interface PageField {
  readonly name: string;
  /** The `type` attribute as a browser understands it. */
  readonly type: string;
  readonly kind: FieldKind;
  /** Name of the field in the page: its label, placeholder, or the text before it. */
  readonly label: string;
  /** The value it comes with if that looks like a person's e-mail address; null otherwise. */
  readonly presetEmail: string | null;
  /** True if an inline style positions it over the page at fixed coordinates, as over a picture of a form. */
  readonly positioned: boolean;
  /** Present if a style or an attribute hides it. */
  readonly concealed?: true;
}

export interface PageLink {
  /** As written, with decoded entities. */
  readonly href: string;
  /** Absolute; null if it leads nowhere by itself (`#`, `javascript:`, nothing, unparsable). */
  readonly url: string | null;
  readonly text: string;
  readonly download: boolean;
}

export interface PageAsset {
  readonly kind: 'icon' | 'image' | 'style' | 'script' | 'media';
  /** As written; `data:` addresses are cut after their type. */
  readonly source: string;
  /** Absolute; null for `data:` and what cannot be parsed. */
  readonly url: string | null;
  /** The alternative text of an image; empty otherwise. */
  readonly alt: string;
}

export interface PageFrame {
  /** The `src` as it was written; empty if there is none. */
  readonly source: string;
  readonly url: string | null;
  /**
   * True if the frame's page is in its `srcdoc` or `data:` address; its forms and text are part of this document.
   */
  readonly inline: boolean;
  /** Absent in observations of an earlier version. */
  readonly size?: FrameSize;
}

export interface PageRefresh {
  /** The `content` attribute as it was written. */
  readonly content: string;
  /** Null if it is malformed, so that a browser ignores it. */
  readonly delaySeconds: number | null;
  /** Absolute; the page itself if it names none, null if it is malformed. */
  readonly url: string | null;
  /**
   * False if a browser that runs scripts ignores it: in `noscript`, a template, a shadow root or a frame, or under CSP
   * `sandbox`. Null if a script may write it, so that only script determines it, or if browsers differ. Absent in
   * observations of an earlier version.
   */
  readonly followed?: boolean | null;
}

/** An address to which a page sends its visitors by itself, or by its only link, or that fills it as a frame. */
export interface PageExit {
  /** `form` is submitted by a script without a visitor. */
  readonly how: 'script' | 'form' | 'frame' | 'link';
  /** Absolute web address. */
  readonly url: string;
  /** Present for a form that is sent with POST. */
  readonly posts?: true;
}

/** Signs in the page's own scripts, each counted once a page. */
export type ScriptMark =
  | 'blocks_context_menu'
  | 'blocks_developer_tools'
  | 'packed'
  | 'hex_identifiers'
  | 'encoded_markup'
  | 'evaluates_encoded_text'
  | 'reads_email_from_address'
  | 'posts_by_script'
  | 'looks_for_bots'
  | 'redirects';

export interface PageScripts {
  readonly inlineCount: number;
  readonly inlineCharacters: number;
  readonly marks: readonly ScriptMark[];
  /** Absolute http(s) addresses in inline scripts, without duplicates. */
  readonly endpoints: readonly string[];
  /** Number of script files, read or not. Absent in observations of an earlier version, as the following members are. */
  readonly externalCount?: number;
  /** True if a script leads to an address that is not constant, without a click. */
  readonly movesAway?: boolean;
  /** True if a script writes markup that is not constant, or adds content of another kind to the page. */
  readonly writesUnknown?: boolean;
  /** True if a script loads the page itself again; absent if none does. */
  readonly reloads?: true;
}

export interface PageCounts {
  readonly elements: number;
  readonly links: number;
  /** Links whose address is empty, `#…` or `javascript:`. */
  readonly deadLinks: number;
  readonly images: number;
  readonly fields: number;
  /**
   * Characters before 4,000 letters of visible text were read, about; null if there are fewer. Absent in observations of
   * an earlier version.
   */
  readonly beforeContent?: number | null;
  /** Letters and digits in text or attributes that were spelt as numeric character references (`&#83;`). */
  readonly spelledLetters: number;
  /** The same inside the title. */
  readonly spelledTitleLetters: number;
  /** Event handlers that run without a click. Absent in observations of an earlier version. */
  readonly handlers?: number;
  /** Empty elements that applications draw themselves into. Absent in observations of an earlier version. */
  readonly openRoots?: number;
}

/** Kinds of fields that ask for a secret. */
export const SECRET_KINDS: ReadonlySet<FieldKind> = new Set<FieldKind>([
  ...(['password', 'card_number', 'card_code', 'one_time_code', 'seed_phrase'] as const),
  ...(['identity_number', 'bank_account'] as const),
]);

/** Returns true if a form of a page asks for a secret. */
export function asksForSecret({ forms }: Pick<PageDocument, 'forms'>): boolean {
  return forms.some(({ fields }) => fields.some(({ kind }) => SECRET_KINDS.has(kind)));
}
