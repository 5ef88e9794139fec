import { readUrl } from '#src/core/url/read-url.ts';
import { htmlOfDataAddress, readDataAddress } from '#src/network/html/addresses.ts';
import { createScriptReader, readPageScript } from '#src/network/html/scripts/read-scripts.ts';
import { type MessageLink, messageLink } from './message-link.ts';
import { classifyTarget, type NonWebTarget, nonWebTarget } from './non-web-target.ts';
import type { MessagePicture } from './pictures.ts';
import { gatherLinks, type Reading } from './reading.ts';
import { isBareAddress } from './text/hosts-in-text.ts';
import { linksInText } from './text/links-in-text.ts';

/** Links of markup. */
export interface MarkupReading {
  readonly links: readonly MessageLink[];
  /** Targets that are not web addresses, each once. */
  readonly nonWeb: readonly NonWebTarget[];
  /** Pictures in `data:` URLs. */
  readonly pictures: readonly MessagePicture[];
  /** Address against which relative ones are resolved; null if unknown. */
  readonly base: string | null;
}

/**
 * Collects the links of markup. Relative addresses are resolved against `<base>`, else against the address of the page.
 */
export interface MarkupCollector {
  /** Address against which relative ones are resolved; null if unknown. */
  readonly base: string | null;
  setBase(href: string): void;
  /** Sets the address from which the page was saved, which is also a link. */
  setPage(address: string): void;
  /** Adds an address behind words, or that of a form; returns its URL, or null. */
  add(address: string, words: string, element?: NonWebTarget['element'] | 'refresh'): string | null;
  addScript(code: string, words: string, element?: NonWebTarget['element']): void;
  /** Adds the address of a frame, which may contain the page itself. */
  addFrame(address: string): void;
  /** Adds a picture; ignored if it is not a `data:` URL. */
  addPicture(address: string, name: string): void;
  addAll(found: Omit<MarkupReading, 'base'>): void;
  /** Returns everything found, with the links of the text. */
  reading(text: string): MarkupReading;
}

/** Maximum length of an address, in UTF-16 code units; longer ones are truncated. */
const MAX_ADDRESS = 16_384;

/** Creates an empty collector; `readInner` receives markup that an address contains. */
export function collectMarkup(readInner: (markup: string) => void, reading: Reading): MarkupCollector {
  const links = gatherLinks(reading);
  const nonWeb: NonWebTarget[] = [];
  const pictures: MessagePicture[] = [];
  let page: string | null = null;
  let declaredBase: string | null = null;
  const base = () => declaredBase ?? page;

  function addEmbedded(address: string): void {
    const markup = htmlOfDataAddress(address);
    if (markup !== null) readInner(markup);
  }

  /** Adds the addresses to which code leads, each a link; the code if it has none. */
  function addScript(code: string, words: string, element?: NonWebTarget['element']): void {
    const reader = createScriptReader(null, () => null);
    readPageScript(reader, code.slice(0, MAX_ADDRESS).replace(/^\s{0,20}javascript:/i, ''));
    const { scripted, clicked } = reader.findings;
    const urls = [...scripted, ...clicked].flatMap((exit) => resolve(exit, base()) ?? []);
    links.add(urls.map((url) => messageLink(url, words, 'script')));
    if (urls.length === 0) nonWeb.push(nonWebTarget('script', code, words, element));
  }

  return {
    get base() {
      return base();
    },
    setBase(href) {
      declaredBase ??= resolve(href, page);
    },
    setPage(address) {
      page = address;
      links.add([messageLink(address, '', 'page')]);
    },
    add(address, words, role = 'link') {
      const short = address.slice(0, MAX_ADDRESS);
      const element = role === 'form' ? role : 'link';
      const url = resolve(short, base()) ?? (element === 'link' ? bareUrl(short) : null);
      const other = url === null ? classifyTarget(short, words, element) : null;
      if (url !== null) links.add([messageLink(url, words, role === 'link' ? undefined : role)]);
      if (other?.kind === 'script') addScript(short, words, element);
      else if (other !== null) nonWeb.push(other);
      if (other?.kind === 'embedded') addEmbedded(address);
      return url;
    },
    addScript,
    addFrame(address) {
      const short = address.slice(0, MAX_ADDRESS);
      const url = resolve(short, base()) ?? bareUrl(short);
      if (url === null) addEmbedded(address);
      else links.add([messageLink(url, '', 'frame')]);
    },
    addPicture(address, name) {
      const content = readDataAddress(address);
      const [contentType = ''] = content?.contentType.split(';', 1) ?? [];
      if (content !== null && /^image\/(?!svg)/.test(contentType)) pictures.push({ ...content, contentType, name });
      else addEmbedded(address);
    },
    addAll(found) {
      links.add(found.links);
      nonWeb.push(...found.nonWeb);
      pictures.push(...found.pictures);
    },
    reading(text) {
      links.add(linksInText(text, reading).links);
      return {
        links: links.distinct(),
        nonWeb: [...new Map(nonWeb.map((one) => [JSON.stringify(one), one])).values()],
        pictures,
        base: base(),
      };
    },
  };
}

/** Returns the web URL of an address; null if there is none. */
function resolve(address: string, base: string | null): string | null {
  const text = address.trim();
  const alone = /^[\\/]{2}/.test(text) ? `https:${text}` : text;
  const isRelative = base !== null && text !== '' && !text.startsWith('#');
  const url = readUrl(alone) ?? (isRelative ? readUrl(alone, base) : null);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
}

/** Returns the URL of an address without a scheme, as mail programs complete it; null if it is not one. */
function bareUrl(address: string): string | null {
  const text = address.trim();
  return isBareAddress(text) ? (readUrl(`http://${text}`)?.href ?? null) : null;
}
