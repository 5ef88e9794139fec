import type { PageExit, PageForm, PageFrame, PageLink } from './document.ts';
import { asksSomething, BARE_CHARACTERS, isShort, siteOf } from './shown-content.ts';

/** Sources of exits, with resolved addresses. */
export interface ExitSources {
  readonly url: string;
  readonly visibleText: string;
  readonly links: readonly PageLink[];
  readonly forms: readonly PageForm[];
  readonly frames: readonly PageFrame[];
  /** Addresses to which scripts go by themselves. */
  readonly scripted: readonly string[];
  /** Addresses of `scripted` to which they go at once. */
  readonly immediate: readonly string[];
  /** Addresses to which a click handler goes. */
  readonly clicked: readonly string[];
  /** True if a script sends a form by itself. */
  readonly sendsForm: boolean;
}

/** Maximum number of exits of one page; each costs as much as a checked URL. */
const MAX_EXITS = 8;

/**
 * Returns the addresses to which a page sends its visitors without a redirect or refresh, in the order in which a visit
 * tries them: scripts that change the address, forms that scripts submit, frames that fill the page, the largest first,
 * and the only link or button of a page without other content.
 *
 * The page's own address is left out, and so are addresses on its own site to which a page with content of its own may
 * lead once something happens: its scripts serve its visitors, and a link within a site adds nothing to the site.
 */
export function findExits(sources: ExitSources): PageExit[] {
  const { scripted, immediate, sendsForm, forms, frames, visibleText } = sources;
  const site = siteOf(sources.url);
  const own = withoutFragment(sources.url);
  const exits = new Map<string, PageExit>();
  const add = (how: PageExit['how'], url: string | null, mayBeOwn: boolean, posts = false) => {
    if (url === null || exits.size === MAX_EXITS || exits.has(url)) return;
    const there = siteOf(url);
    if (there === null || (there === site && (!mayBeOwn || (!posts && withoutFragment(url) === own)))) return;
    exits.set(url, posts ? { how, url, posts } : { how, url });
  };
  const mayLeadOn = isShort(sources);
  for (const url of scripted) add('script', url, mayLeadOn || immediate.includes(url));
  if (sendsForm) {
    // Which form is sent is unknown: one that asks for nothing, if there is one.
    const silent = forms.filter((form) => !asksSomething(form));
    for (const { action, method } of silent.length > 0 ? silent : forms) add('form', action, true, method === 'post');
  }
  const isEmpty = mayLeadOn && visibleText.length < BARE_CHARACTERS;
  const filling = frames.filter(({ size }) => size === 'window' || (isEmpty && size !== 'hidden'));
  for (const { url } of filling.toSorted(bySize)) add('frame', url, true);
  add('link', mayLeadOn && !forms.some(asksSomething) ? onlyLink(sources) : null, false);
  return [...exits.values()];
}

const SIZES: readonly PageFrame['size'][] = ['window', 'full', 'part', 'hidden'];

function bySize(left: PageFrame, right: PageFrame): number {
  return SIZES.indexOf(left.size) - SIZES.indexOf(right.size);
}

/** The address behind the only link or button of a page with next to no other content; null if there is none. */
function onlyLink({ links, forms, clicked }: ExitSources): string | null {
  const addresses = new Set([...links.flatMap(({ url }) => url ?? []), ...forms.flatMap(behindButtons), ...clicked]);
  const [only = null] = addresses;
  return addresses.size === 1 ? only : null;
}

function behindButtons({ action, buttonTexts, buttonActions }: PageForm): readonly string[] {
  const usesAction = buttonTexts.length > buttonActions.length && action !== null;
  return usesAction ? [...buttonActions, action] : buttonActions;
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
