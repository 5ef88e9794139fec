import { MAIL_SERVICES } from '#src/core/knowledge/words/page-phrases.ts';
import type { PageView } from './page-view.ts';
import { found, type Sign, secretsInWords } from './signal.ts';

/** The links of a page that asks for a login lead nowhere. */
export const deadLinks: Sign = (view) => {
  const { links, deadLinks: dead } = view.document.counts;
  if (!view.asksToLogIn || links < 2) return null;
  const share = dead / links;
  if (share < 0.6) return null;
  return found(
    `The page asks for a login, but ${dead} of its ${links} links lead nowhere`,
    share * Math.min(1, links / 4),
  );
};

/** Nothing on a login page says whose it is: neither its site's name nor a link to the rest of the site. */
export const namesNobody: Sign = (view) => {
  if (!view.asksToLogIn || view.namesItsSite || view.location.host.kind !== 'name') return null;
  if (liveOwnLinks(view) > 0) return null;
  return found(
    `The page asks for a login, but neither names ${view.location.host.site} nor links to anything else there`,
  );
};

/** A password is asked for on a page that has next to nothing else. */
export const bareLogin: Sign = (view) => {
  const { document } = view;
  if (view.secrets.size === 0 || document.visibleText.length > 250 || liveOwnLinks(view) > 1) return null;
  return found(`The page asks for ${secretsInWords(view)} and shows hardly anything else`);
};

/** Fields lie at fixed places, as over a picture of somebody's login page. */
export const fieldsOverPicture: Sign = (view) => {
  // A small form that floats over a full page is an ordinary login menu.
  if (view.document.visibleText.length > 600) return null;
  const laid = view.secretForms.some((form) => form.fields.some((field) => field.positioned));
  return laid ? found(`The fields that ask for ${secretsInWords(view)} are laid over a picture`) : null;
};

/** One page asks for passwords in many forms, as one that offers a choice of mail providers does. */
export const manyPasswordForms: Sign = (view) => {
  const count = view.secretForms.filter((form) => form.fields.some((field) => field.kind === 'password')).length;
  return count < 3 ? null : found(`The page has ${count} forms that ask for a password`, (count - 1) / 4);
};

/** A visitor is to choose a mail provider and then give that mailbox's password. */
export const mailProviderChoice: Sign = (view) => {
  if (!view.asksToLogIn) return null;
  const { document } = view;
  const alts = document.assets.map((asset) => `${asset.alt} ${asset.source.slice(-40)}`);
  const text = [document.visibleText.slice(0, 3000), document.hiddenText.slice(0, 2000), ...alts]
    .join(' ')
    .toLowerCase();
  const named = MAIL_SERVICES.filter((name) => text.includes(name));
  if (named.length < 4) return null;
  return found(
    `The page lets visitors choose among mail providers (${named.slice(0, 4).join(', ')}) to log in with`,
    named.length / 6,
  );
};

/** The visitor's e-mail address is filled in already and only the password is asked for. */
export const presetEmail: Sign = (view) => {
  const fields = view.secretForms.flatMap((form) => form.fields);
  const preset = fields.find((field) => field.presetEmail !== null);
  const fromAddress = view.secrets.has('password') && view.document.scripts.marks.includes('reads_email_from_address');
  if (preset !== undefined) return found('Somebody’s e-mail address is filled in, and the password is asked for');
  return fromAddress
    ? found('The page takes an e-mail address out of its own web address and asks for the password', 0.7)
    : null;
};

/** Secrets that a wallet, a bank or a state never asks for on a page. */
export const asksSeedPhrase: Sign = (view) =>
  view.secrets.has('seed_phrase') ? found('The page asks for the recovery phrase or private key of a wallet') : null;

/** One form wants several kinds of secrets at once. */
export const asksManySecrets: Sign = (view) => {
  const count = Math.max(
    0,
    ...view.secretForms.map(
      (form) => new Set(form.fields.map((field) => field.kind).filter((kind) => view.secrets.has(kind))).size,
    ),
  );
  return count < 3 ? null : found(`One form asks for ${secretsInWords(view)}`, (count - 1) / 3);
};

/** A frame of another site fills a page that has nothing of its own. */
export const framesOtherSite: Sign = (view) => {
  const { document } = view;
  if (document.visibleText.length > 120 || document.counts.links > 2) return null;
  const there = document.frames.map((frame) => view.foreignHost(frame.url)).find((target) => target !== null);
  return there ? found(`The page shows nothing but a page of another site, ${there.text}`) : null;
};

function liveOwnLinks(view: PageView): number {
  return view.document.links.filter(
    (link) => link.url !== null && /^http/.test(link.url) && view.foreignHost(link.url) === null,
  ).length;
}
