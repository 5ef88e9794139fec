import { FORM_SERVICES, SIGN_ON_SERVICES, WIDELY_LINKED_HOSTS } from '#src/core/knowledge/hosts/page-hosts.ts';
import { KIT_SCRIPT, LOGIN_SCRIPT } from '#src/core/knowledge/words/page-marks.ts';
import type { Host } from '#src/core/url/host.ts';
import type { PageView } from './page-view.ts';
import { findingOf, type Signal, secretsInWords } from './signal.ts';

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

const BOT_ADDRESS =
  /^https?:\/\/(?:api\.telegram\.org\/+bot|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/)/i;

function targetsOf(view: PageView): string[] {
  return view.secretForms.flatMap((form) => [form.action ?? [], form.buttonActions].flat());
}

/** A secret is sent to another site. */
export const postsToOtherSite: Signal<'page.posts_to_other_site'> = (view) => {
  for (const action of targetsOf(view)) {
    const there = view.foreignHost(action);
    if (there === null || SIGN_ON_SERVICES.has(there) || FORM_SERVICES.has(there)) continue;
    if (sharesOwner(view, there)) continue;
    return findingOf({ secrets: secretsInWords(view), site: there.text });
  }
  return null;
};

/** A secret is sent unencrypted from a page that was loaded encrypted. */
export const postsUnencrypted: Signal<'page.posts_unencrypted'> = (view) => {
  if (view.location.scheme !== 'https') return null;
  const action = targetsOf(view).find((target) => target.startsWith('http:'));
  return action === undefined ? null : findingOf({ secrets: secretsInWords(view) });
};

/** A secret is sent to a service that forwards forms to a mailbox or table. */
export const postsToFormService: Signal<'page.posts_to_form_service'> = (view) => {
  const targets = [...targetsOf(view), ...(view.secrets.size > 0 ? view.document.scripts.endpoints : [])];
  if (targets.some((target) => /^mailto:/i.test(target))) {
    return findingOf({ kind: 'mail', secrets: secretsInWords(view) });
  }
  for (const target of targets) {
    const there = view.foreignHost(target);
    if (there !== null && FORM_SERVICES.has(there)) {
      return findingOf({ kind: 'service', service: there.text });
    }
  }
  return null;
};

/** The page sends its data to a chat bot. */
export const postsToBot: Signal<'page.posts_to_bot'> = (view) => {
  const address = [...view.document.scripts.endpoints, ...view.forms.map((form) => form.action ?? '')].find((target) =>
    BOT_ADDRESS.test(target),
  );
  if (address === undefined) return null;
  return findingOf({ service: new URL(address).host });
};

/** A form sends a secret to a lone script beside the page, or one named as in phishing kits. */
export const postsToKitScript: Signal<'page.posts_to_kit_script'> = (view) => {
  for (const form of view.secretForms) {
    const attribute = form.actionAttribute?.trim() ?? '';
    if (attribute === '' || form.action === null || view.foreignHost(form.action) !== null) continue;
    const path = URL.parse(form.action)?.pathname ?? '';
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (!/^[\w-]{1,40}\.php$/i.test(name)) continue;
    const isBeside =
      path.slice(0, -name.length) === view.location.path.slice(0, view.location.path.lastIndexOf('/') + 1);
    const isKits = KIT_SCRIPT.test(name);
    if (!isKits && !isBeside) continue;
    const value = isKits ? (isBeside ? 1 : 0.6) : LOGIN_SCRIPT.test(name) ? 0.25 : 0.5;
    return findingOf({ kind: isKits ? 'named' : 'beside', secrets: secretsInWords(view), script: name }, value);
  }
  return null;
};

/** Returns true if two domains have one owner: the page links to the other, or both are a brand's. */
function sharesOwner(view: PageView, there: Host): boolean {
  if (view.brands.ownersOf(there).some((brand) => view.owners.has(brand))) return true;
  const own = view.document.links.map((link) => link.url).filter((url) => url !== null);
  const toOwn = own.filter((url) => view.foreignHost(url) === null).length;
  const toThere = own.filter((url) => view.foreignHost(url)?.site === there.site).length;
  return view.namesItsSite && toOwn > 0 && toThere > 0;
}
