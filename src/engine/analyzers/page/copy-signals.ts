import { WIDELY_LINKED_HOSTS } from '#src/core/knowledge/hosts/page-hosts.ts';
import type { PageView } from './page-view.ts';
import { findingOf, type Signal } from './signal.ts';

const SAVED = /saved from url=(?:\(\d+\))?(https?:\/\/[^\s>]{1,300})/i;
const MIRRORED = /mirrored from ([a-z0-9.-]{3,253}\/[^\s]{0,200})/i;

/** A comment of a browser or copying tool shows that the page was copied from another site. */
export const savedCopy: Signal<'page.saved_copy'> = (view) => {
  for (const comment of view.document.comments) {
    const saved = SAVED.exec(comment)?.[1] ?? httpAddress(MIRRORED.exec(comment)?.[1]);
    const there = saved === undefined ? null : view.foreignHost(saved);
    if (there !== null) return findingOf({ site: there.text }, view.asksToLogIn ? 1 : 0.3);
  }
  return null;
};

function httpAddress(hostAndPath: string | undefined): string | undefined {
  return hostAndPath === undefined ? undefined : `http://${hostAndPath}`;
}

/** Names of folders that browsers create for the parts of a saved page. */
const SAVED_FOLDER =
  /(?:^|\/)[^/]{1,60}_(?:files|archivos|fichiers|dateien|arquivos|file|soubory|bestanden|pliki)\/[^/]+$/i;

/** Parts of the page are in a folder that browsers create for saved pages. */
export const savedFolder: Signal<'page.saved_folder'> = (view) => {
  const local = view.document.assets.filter((asset) => asset.url !== null && view.foreignHost(asset.url) === null);
  const saved = local.find((asset) => SAVED_FOLDER.test(asset.source.split(/[?#]/, 1)[0] ?? ''));
  if (saved === undefined || !view.asksToLogIn) return null;
  return findingOf({});
};

/** A login page names another site as its canonical address or base. */
export const belongsElsewhere: Signal<'page.belongs_elsewhere'> = (view) => {
  if (!view.asksToLogIn) return null;
  const { canonical, 'og:url': shared } = view.document.meta;
  const named = [canonical, shared, view.document.base === null ? undefined : view.document.baseUrl];
  for (const address of named) {
    const there = address === undefined ? null : view.foreignHost(address);
    if (there !== null) return findingOf({ site: there.text });
  }
  return null;
};

/** Nearly all links of a login page lead to one other site, which it seems to copy. */
export const linksToOneOtherSite: Signal<'page.links_to_one_other_site'> = (view) => {
  if (!view.asksToLogIn) return null;
  const { own, foreign } = countSites(view);
  const [site, count] = [...foreign].sort((a, b) => b[1] - a[1])[0] ?? ['', 0];
  const share = count / (own + [...foreign.values()].reduce((sum, n) => sum + n, 0));
  if (count < 3 || share < 0.6) return null;
  return findingOf({ site }, (share - 0.5) * 2);
};

function countSites(view: PageView): { own: number; foreign: Map<string, number> } {
  const foreign = new Map<string, number>();
  let own = 0;
  const addresses = [...view.document.links, ...view.document.assets].map((item) => item.url);
  for (const url of addresses) {
    if (url === null || !/^https?:/i.test(url)) continue;
    const there = view.foreignHost(url);
    if (there === null) own += 1;
    else if (!WIDELY_LINKED_HOSTS.has(there)) foreign.set(there.site, (foreign.get(there.site) ?? 0) + 1);
  }
  return { own, foreign };
}
