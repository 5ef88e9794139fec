import type { Target } from '#src/url/target.ts';
import type { PageView } from './page-view.ts';
import { found, type Sign, secretsInWords } from './sign.ts';

/** Hosts that collect forms for anybody, and that no login of an organisation posts to. */
const FORM_BACK_ENDS =
  /(?:^|\.)(?:formspree\.io|formsubmit\.(?:co|io)|getform\.(?:io|com)|formcarry\.com|web3forms\.com|usebasin\.com|formbold\.com|formkeep\.com|staticforms\.(?:xyz|dev)|fabform\.io|herotofu\.com|submit-form\.com|formbackend\.com|un-static\.com|kwes\.io|forminit\.com|sheetdb\.io|sheet\.best|emailjs\.com|smtpjs\.com|script\.google\.com|firebaseio\.com|pipedream\.net|webhook\.site|requestbin\.(?:com|net)|hookb\.in|beeceptor\.com)$/;

const BOT_ADDRESS =
  /^https?:\/\/(?:api\.telegram\.org\/+bot|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/)/i;

/** Services that other organisations let people sign in by: posting to one is what single sign-on does. */
const SIGN_ON_SERVICES =
  /(?:^|\.)(?:microsoftonline\.com|login\.live\.com|accounts\.google\.com|auth0\.com|okta\.com|oktapreview\.com|onelogin\.com|pingidentity\.com|pingone\.com|duosecurity\.com|amazoncognito\.com|b2clogin\.com|salesforce\.com|force\.com|myshopify\.com|shopify\.com|paypal\.com|stripe\.com|list-manage\.com|hubspot\.com|hsforms\.com|zendesk\.com|wordpress\.com|appleid\.apple\.com|facebook\.com|janraincapture\.com|gigya\.com|forgerock\.(?:io|com)|intigral\.net|workday\.com|myworkdayjobs\.com|adp\.com|instructure\.com|shibboleth\.net|arcot\.com|wixsite\.com)$/;

function targetsOf(view: PageView): string[] {
  return view.secretForms.flatMap((form) => [form.action ?? [], form.buttonActions].flat());
}

/** A secret goes to another site than the page's. */
export const postsToOtherSite: Sign = (view) => {
  for (const action of targetsOf(view)) {
    const there = view.foreign(action);
    if (there === null || SIGN_ON_SERVICES.test(there.host) || isBackEnd(there)) continue;
    if (sharesOwner(view, there)) continue;
    return found(`The form that asks for ${secretsInWords(view)} sends it to another site, ${there.host}.`);
  }
  return null;
};

/** A secret goes over an unencrypted connection although the page itself came over an encrypted one. */
export const postsUnencrypted: Sign = (view) => {
  if (view.place.scheme !== 'https') return null;
  const action = targetsOf(view).find((target) => target.startsWith('http:'));
  return action === undefined ? null : found(`The form that asks for ${secretsInWords(view)} sends it unencrypted.`);
};

/** A secret goes to a service that forwards forms to somebody's mailbox or table. */
export const postsToFormService: Sign = (view) => {
  const targets = [...targetsOf(view), ...(view.secrets.size > 0 ? view.document.scripts.endpoints : [])];
  if (targets.some((target) => /^mailto:/i.test(target))) {
    return found(`The form that asks for ${secretsInWords(view)} is sent by e-mail.`);
  }
  for (const target of targets) {
    const there = view.foreign(target);
    if (there !== null && isBackEnd(there)) {
      return found(`What is typed in goes to ${there.host}, a service that collects forms for anybody.`);
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
    `Its script sends messages to a chat bot (${new URL(address).host}), as phishing kits do with what they catch.`,
  );
};

/** Names of scripts that take what a kit catches; a product's own login is handled by `login` or the like. */
const KIT_SCRIPT =
  /^(?:re)?(?:post|send|sendmail|send_?\d*|sendd?ata|next|nxt|action|actions?\w{0,4}|process\w{0,6}|proc|verif\w{0,12}|valid\w{0,8}|submit\w{0,6}|resubmit|mail|mailer|email|sent|save|get|data|log|logs|logging|loging|login\d|login_?post|logon|signon|result\w{0,4}|rezult\w{0,3}|step\d|check|checker|finish|done|go|x|xx+|need\d?|pass|password|confirm\w{0,8}|update\w{0,4}|auth\w{0,3}|hook|webhook|telegram|tele|grab\w{0,4}|main|[a-z]{0,3}\d{1,4}|\d+)\.php$/i;

/** A form sends a secret to a lone script beside the page, named like those of phishing kits. */
export const postsToKitScript: Sign = (view) => {
  for (const form of view.secretForms) {
    const action = (form.actionAttribute ?? '').trim();
    const path = action.split(/[?#]/, 1)[0] ?? '';
    const name =
      path
        .replace(/^\.?\//, '')
        .split('/')
        .at(-1) ?? '';
    if (/^[a-z]+:|^\/\//i.test(action) || !KIT_SCRIPT.test(name)) continue;
    return found(
      `The form that asks for ${secretsInWords(view)} is handled by a script called ${name}, as in phishing kits.`,
    );
  }
  return null;
};

function isBackEnd(there: Target): boolean {
  return FORM_BACK_ENDS.test(there.host);
}

/** Several domains of one company: the page says so itself by linking to the other, or a brand's list does. */
function sharesOwner(view: PageView, there: Target): boolean {
  const owners = view.brands.ownersOf(view.place);
  if (view.brands.ownersOf(there).some((brand) => owners.includes(brand))) return true;
  const own = view.document.links.map((link) => link.url).filter((url) => url !== null);
  const toOwn = own.filter((url) => view.foreign(url) === null).length;
  const toThere = own.filter((url) => view.foreign(url)?.site === there.site).length;
  return view.namesItsSite && toOwn > 0 && toThere > 0;
}
