import { readUrl } from '#src/core/url/read-url.ts';
import { isBareAddress } from './bare-host.ts';
import { type MessagePicture, readDataUrl } from './embedded-picture.ts';
import { linksInText } from './links-in-text.ts';
import { type MessageLink, messageLink, withoutRepeats } from './message-link.ts';
import { classifyTarget, type NonWebTarget, nonWebTarget } from './non-web-target.ts';
import type { Reading } from './reading.ts';

/** What was found in markup. */
export interface MarkupReading {
  readonly links: readonly MessageLink[];
  /** Each of them once. */
  readonly nonWeb: readonly NonWebTarget[];
  /** Pictures that stand in `data:` URLs. */
  readonly pictures: readonly MessagePicture[];
}

/** Collects where markup leads. Relative addresses are completed by `<base>`, else by the address of the page. */
export interface MarkupCollector {
  /** The address that completes relative ones; null where none is known. */
  readonly base: string | null;
  setBase(href: string): void;
  /** Sets the address from which the page was saved, which is a link as well. */
  setPage(address: string): void;
  /** An address behind words, or that of a form; the URL to which it leads, or null. */
  add(address: string, words: string, element?: NonWebTarget['element']): string | null;
  addScript(code: string, words: string, element?: NonWebTarget['element']): void;
  /** The address of a frame, which may carry the page in itself. */
  addFrame(address: string): void;
  /** A picture; one that is not a `data:` URL is ignored. */
  addPicture(address: string, name: string): void;
  addAll(found: MarkupReading): void;
  /** Everything found, with the links of the text. */
  reading(text: string): MarkupReading;
}

/** Longer addresses are cut, in UTF-16 code units. */
const MAX_ADDRESS = 16_384;

/** An empty collector; `readInner` is given markup that an address carries in itself. */
export function collectMarkup(readInner: (markup: string) => void, reading: Reading): MarkupCollector {
  const links: MessageLink[] = [];
  const nonWeb: NonWebTarget[] = [];
  const pictures: MessagePicture[] = [];
  let page: string | null = null;
  let declaredBase: string | null = null;
  const base = () => declaredBase ?? page;

  function addEmbedded(address: string): void {
    const content = readDataUrl(address);
    if (content !== null && /html|xml|svg/.test(content.contentType))
      readInner(new TextDecoder().decode(content.bytes));
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
      links.push(messageLink(address, '', 'page'));
    },
    add(address, words, element = 'link') {
      const short = address.slice(0, MAX_ADDRESS);
      const url = resolve(short, base()) ?? (element === 'link' ? bareUrl(short) : null);
      const other = url === null ? classifyTarget(short, words, element) : null;
      if (url !== null) links.push(messageLink(url, words, element === 'form' ? 'form' : undefined));
      if (other !== null) nonWeb.push(other);
      if (other?.kind === 'embedded') addEmbedded(address);
      return url;
    },
    addScript(code, words, element) {
      nonWeb.push(nonWebTarget('script', code, words, element));
    },
    addFrame(address) {
      const short = address.slice(0, MAX_ADDRESS);
      const url = resolve(short, base()) ?? bareUrl(short);
      if (url === null) addEmbedded(address);
      else links.push(messageLink(url, ''));
    },
    addPicture(address, name) {
      const content = readDataUrl(address);
      if (content !== null && /^image\/(?!svg)/.test(content.contentType)) pictures.push({ ...content, name });
      else addEmbedded(address);
    },
    addAll(found) {
      links.push(...found.links);
      nonWeb.push(...found.nonWeb);
      pictures.push(...found.pictures);
    },
    reading: (text) => ({
      links: withoutRepeats([...links, ...linksInText(text, reading).links]),
      nonWeb: [...new Map(nonWeb.map((one) => [JSON.stringify(one), one])).values()],
      pictures,
    }),
  };
}

/** Where an address leads on the web; null where it leads nowhere, or to something that is not checked. */
function resolve(address: string, base: string | null): string | null {
  const text = address.trim();
  const alone = /^[\\/]{2}/.test(text) ? `https:${text}` : text;
  const isRelative = base !== null && text !== '' && !text.startsWith('#');
  const url = readUrl(alone) ?? (isRelative ? readUrl(alone, base) : null);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Mail programs complete what would be relative to nothing. */
function bareUrl(address: string): string | null {
  const text = address.trim();
  return text.length <= MAX_ADDRESS && isBareAddress(text) ? (readUrl(`http://${text}`)?.href ?? null) : null;
}
