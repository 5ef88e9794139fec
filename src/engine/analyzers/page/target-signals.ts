import { KIT_SCRIPT, LOGIN_SCRIPT } from '#src/core/knowledge/words/file-names.ts';
import { FORM_SERVICES, SIGN_ON_SERVICES } from '#src/core/knowledge/hosts/page-hosts.ts';
import type { Host } from '#src/core/url/host.ts';
import type { PageView } from './page-view.ts';
import { found, type Sign, secretsInWords } from './signal.ts';

const BOT_ADDRESS =
  /^https?:\/\/(?:api\.telegram\.org\/+bot|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/)/i;

function targetsOf(view: PageView): string[] {
  return view.secretForms.flatMap((form) => [form.action ?? [], form.buttonActions].flat());
}

/** A secret goes to another site than the page's. */
export const postsToOtherSite: Sign = (view) => {
  for (const action of targetsOf(view)) {
    const there = view.foreignHost(action);
    if (there === null || SIGN_ON_SERVICES.has(there) || FORM_SERVICES.has(there)) continue;
    if (sharesOwner(view, there)) continue;
    return found(`The form that asks for ${secretsInWords(view)} sends it to another site, ${there.text}`);
  }
  return null;
};

/** A secret goes over an unencrypted connection although the page itself came over an encrypted one. */
export const postsUnencrypted: Sign = (view) => {
  if (view.location.scheme !== 'https') return null;
  const action = targetsOf(view).find((target) => target.startsWith('http:'));
  return action === undefined ? null : found(`The form that asks for ${secretsInWords(view)} sends it unencrypted`);
};

/** A secret goes to a service that forwards forms to somebody's mailbox or table. */
export const postsToFormService: Sign = (view) => {
  const targets = [...targetsOf(view), ...(view.secrets.size > 0 ? view.document.scripts.endpoints : [])];
  if (targets.some((target) => /^mailto:/i.test(target))) {
    return found(`The form that asks for ${secretsInWords(view)} is sent by e-mail`);
  }
  for (const target of targets) {
    const there = view.foreignHost(target);
    if (there !== null && FORM_SERVICES.has(there)) {
      return found(`What is typed in goes to ${there.text}, a service that collects forms for anybody`);
    }
  }
  return null;
};

/** The page hands what it collects to a chat bot. */
export const postsToBot: Sign = (view) => {
  const address = [...view.document.scripts.endpoints, ...view.forms.map((form) => form.action ?? '')].find((target) =>
    BOT_ADDRESS.test(target),
  );
  if (address === undefined) return null;
  return found(
    `The page’s script sends messages to a chat bot (${new URL(address).host}), as phishing kits do with what they catch`,
  );
};

/** A form sends a secret to a lone script beside the page, named like those of phishing kits. */
export const postsToKitScript: Sign = (view) => {
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
    const handled = `The form that asks for ${secretsInWords(view)} is handled by a lone script, ${name}`;
    return found(isKits ? `${handled}, named as in phishing kits` : `${handled}, beside the page`, value);
  }
  return null;
};

/** Several domains of one company: the page says so itself by linking to the other, or a brand's list does. */
function sharesOwner(view: PageView, there: Host): boolean {
  if (view.brands.ownersOf(there).some((brand) => view.owners.has(brand))) return true;
  const own = view.document.links.map((link) => link.url).filter((url) => url !== null);
  const toOwn = own.filter((url) => view.foreignHost(url) === null).length;
  const toThere = own.filter((url) => view.foreignHost(url)?.site === there.site).length;
  return view.namesItsSite && toOwn > 0 && toThere > 0;
}
