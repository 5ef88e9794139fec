import { hostOf } from '#src/core/url/host.ts';
import type { PageExit, PageForm, PageFrame, PageLink } from './document.ts';

/** Sources of exits, with resolved addresses. */
export interface ExitSources {
  readonly url: string;
  readonly visibleText: string;
  readonly links: readonly PageLink[];
  readonly forms: readonly PageForm[];
  /** Each frame, with the share of the page that it covers. */
  readonly frames: readonly { readonly frame: PageFrame; readonly size: FrameSize }[];
  /** Addresses to which scripts go by themselves. */
  readonly scripted: readonly string[];
  /** Addresses to which a click handler goes. */
  readonly clicked: readonly string[];
  /** True if a script sends a form by itself. */
  readonly sendsForm: boolean;
}

/**
 * Size of a frame in its page, as far as its attributes determine it: `window` covers the page independently of other
 * content.
 */
export type FrameSize = 'hidden' | 'part' | 'full' | 'window';

/** Maximum number of exits of one page; each costs as much as a checked URL. */
const MAX_EXITS = 8;

/** A page with less text has no content beside a frame that fills it. */
const FEW_CHARACTERS = 200;

/** “You have received a secure document”, a sentence or two, and the button: longer pages have content of their own. */
const MAX_CHARACTERS_AROUND_LINK = 500;

/**
 * Returns the addresses on other sites to which a page sends its visitors without a redirect or refresh: scripts that
 * change the address, frames that fill the page, and the only link or button of a page without other content. Addresses
 * on the page's own site are left out, because they add nothing to the page's address.
 */
export function findExits(sources: ExitSources): PageExit[] {
  const site = siteOf(sources.url);
  const exits = new Map<string, PageExit>();
  const add = (how: PageExit['how'], url: string | null) => {
    if (url === null || exits.size === MAX_EXITS || exits.has(url)) return;
    const there = siteOf(url);
    if (there !== null && there !== site) exits.set(url, { how, url });
  };
  for (const url of sources.scripted) add('script', url);
  if (sources.sendsForm) for (const form of sources.forms) if (!asksSomething(form)) add('script', form.action);
  for (const { frame, size } of sources.frames) if (fillsPage(size, sources.visibleText)) add('frame', frame.url);
  add('link', onlyLink(sources));
  return [...exits.values()];
}

function fillsPage(size: FrameSize, visibleText: string): boolean {
  if (size === 'window') return true;
  return size !== 'hidden' && visibleText.length < FEW_CHARACTERS;
}

/** The address behind the only link or button of a page with next to no other content; null if there is none. */
function onlyLink({ visibleText, links, forms, clicked }: ExitSources): string | null {
  if (visibleText.length > MAX_CHARACTERS_AROUND_LINK || forms.some(asksSomething)) return null;
  const addresses = new Set([...links.flatMap(({ url }) => url ?? []), ...forms.flatMap(behindButtons), ...clicked]);
  const [only = null] = addresses;
  return addresses.size === 1 ? only : null;
}

function behindButtons({ action, buttonTexts, buttonActions }: PageForm): readonly string[] {
  const usesAction = buttonTexts.length > buttonActions.length && action !== null;
  return usesAction ? [...buttonActions, action] : buttonActions;
}

function asksSomething({ fields }: PageForm): boolean {
  return fields.some(({ kind }) => kind !== 'hidden');
}

/** The registrable domain or address of a web address; null for any other address. */
function siteOf(url: string): string | null {
  const parsed = /^https?:/i.test(url) ? URL.parse(url) : null;
  return parsed && parsed.hostname !== '' ? hostOf(parsed.hostname).site : null;
}
