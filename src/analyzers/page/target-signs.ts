import type { Host } from '#src/url/host.ts';
import { hostSet } from './host-set.ts';
import type { PageView } from './page-view.ts';
import { found, type Sign, secretsInWords } from './sign.ts';

/** Hosts that collect forms for anybody, and that no login of an organisation posts to. */
const FORM_BACK_ENDS = hostSet(
  'beeceptor.com emailjs.com fabform.io firebaseio.com formbackend.com formbold.com formcarry.com ' +
    'forminit.com formkeep.com formspree.io formsubmit.co formsubmit.io getform.com getform.io herotofu.com ' +
    'hookb.in kwes.io pipedream.net requestbin.com requestbin.net script.google.com sheet.best sheetdb.io ' +
    'smtpjs.com staticforms.dev staticforms.xyz submit-form.com un-static.com usebasin.com web3forms.com ' +
    'webhook.site',
);

const BOT_ADDRESS =
  /^https?:\/\/(?:api\.telegram\.org\/+bot|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/)/i;

/** Services that other organisations let people sign in by: posting to one is what single sign-on does. */
const SIGN_ON_SERVICES = hostSet(
  'accounts.google.com adp.com amazoncognito.com appleid.apple.com arcot.com auth0.com b2clogin.com ' +
    'duosecurity.com facebook.com force.com forgerock.com forgerock.io gigya.com hsforms.com hubspot.com ' +
    'instructure.com intigral.net janraincapture.com list-manage.com login.live.com microsoftonline.com ' +
    'myshopify.com myworkdayjobs.com okta.com oktapreview.com onelogin.com paypal.com pingidentity.com ' +
    'pingone.com salesforce.com shibboleth.net shopify.com stripe.com wixsite.com wordpress.com workday.com ' +
    'zendesk.com',
);

function targetsOf(view: PageView): string[] {
  return view.secretForms.flatMap((form) => [form.action ?? [], form.buttonActions].flat());
}

/** A secret goes to another site than the page's. */
export const postsToOtherSite: Sign = (view) => {
  for (const action of targetsOf(view)) {
    const there = view.foreignHost(action);
    if (there === null || SIGN_ON_SERVICES.has(there) || isBackEnd(there)) continue;
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
    if (there !== null && isBackEnd(there)) {
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

/** Names of scripts that take what a kit catches. */
const KIT_SCRIPT =
  /^(?:re)?(?:post|send|sendmail|send_?\d*|sendd?ata|next|nxt|action|actions?\w{0,14}|process\w{0,6}|proc|verif\w{0,12}|ver\d|valid\w{0,8}|submit\w{0,6}|resubmit|mail|mailer|email|sent|save|get|data|log|logs|logging|loging|login\d|login_?post|logon\d?|signon|result\w{0,4}|rezult\w{0,3}|step\d|check|checker|finish|final|end|done|go|x|xx+|need\d?|pass|userpass\d?|password|confirm\w{0,8}|update\w{0,4}|hook|webhook|telegram|tele|grab\w{0,4}|[a-z]{0,3}\d{1,4}|\d+)\.php$/i;
/** Names that products and sites made by hand give to the script of their own login. */
const ORDINARY_SCRIPT =
  /^(?:wp-login|index|default|home|main|login|log-?in|sign-?in|sign-?up|signin|register|registration|registrierung|account|accounts|user|users|ucp|member|members|auth|authenticate|session|admin|profile|payment|checkout|checklogin|connexion|inscription|connect|enter|customer|client|portal)\.(?:php)$/i;

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
    const value = isKits ? (isBeside ? 1 : 0.6) : ORDINARY_SCRIPT.test(name) ? 0.25 : 0.5;
    const handled = `The form that asks for ${secretsInWords(view)} is handled by a lone script, ${name}`;
    return found(isKits ? `${handled}, named as in phishing kits` : `${handled}, beside the page`, value);
  }
  return null;
};

function isBackEnd(there: Host): boolean {
  return FORM_BACK_ENDS.has(there);
}

/** Several domains of one company: the page says so itself by linking to the other, or a brand's list does. */
function sharesOwner(view: PageView, there: Host): boolean {
  if (view.brands.ownersOf(there).some((brand) => view.owners.has(brand))) return true;
  const own = view.document.links.map((link) => link.url).filter((url) => url !== null);
  const toOwn = own.filter((url) => view.foreignHost(url) === null).length;
  const toThere = own.filter((url) => view.foreignHost(url)?.site === there.site).length;
  return view.namesItsSite && toOwn > 0 && toThere > 0;
}
