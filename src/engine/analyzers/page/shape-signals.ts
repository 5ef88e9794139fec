import { KIT_MARKS, MAIL_SERVICES, PRESSURE } from '#src/core/knowledge/words/page-marks.ts';
import type { PageView } from './page-view.ts';
import { findingOf, inOneLine, type Signal, secretsInWords } from './signal.ts';
import { isGeneric, wordsOf } from './words.ts';

/** A login page puts pressure on the visitor. */
export const urgency: Signal<'page.urgency'> = (view) => {
  if (!view.asksToLogIn) return null;
  const { title, headings, visibleText } = view.document;
  // Fold the typographic apostrophe; the rest of the text is matched as it stands.
  const text = [title ?? '', ...headings, visibleText.slice(0, 4000)].join('\n').replaceAll('’', "'");
  const phrase = PRESSURE.exec(text)?.[0];
  return phrase === undefined ? null : findingOf({ phrase: inOneLine(phrase) });
};

const MAX_TITLE_CHARACTERS = 100;

/** A login page has a generic title. */
export const namelessTitle: Signal<'page.nameless_title'> = (view) => {
  const title = view.document.title ?? '';
  if (!view.asksToLogIn || view.namesItsSite || title.length > MAX_TITLE_CHARACTERS) return null;
  const words = wordsOf(title);
  if (words.length === 0 || !words.every(isGeneric)) return null;
  return findingOf({ title: inOneLine(title) });
};

/** The page carries the mark of a phishing kit or of a tool that sends lures. */
export const kitMark: Signal<'page.kit_mark'> = (view) => {
  const { title, headings, comments, visibleText } = view.document;
  const text = [title ?? '', ...headings, ...comments, visibleText.slice(0, 2000)].join('\n');
  const mark = KIT_MARKS.exec(text)?.[0];
  return mark === undefined ? null : findingOf({ mark: inOneLine(mark) });
};

/** Most links of a login page lead nowhere. */
export const deadLinks: Signal<'page.dead_links'> = (view) => {
  const { links, deadLinks: dead } = view.document.counts;
  if (!view.asksToLogIn || links < 2) return null;
  const share = dead / links;
  if (share < 0.6) return null;
  return findingOf({ dead, links }, share * Math.min(1, links / 4));
};

/** A login page neither names its site nor links to the rest of it. */
export const namesNobody: Signal<'page.names_nobody'> = (view) => {
  if (!view.asksToLogIn || view.namesItsSite || view.location.host.kind !== 'name') return null;
  if (liveOwnLinks(view) > 0) return null;
  return findingOf({ site: view.location.host.site });
};

/** A page asks for a password and contains hardly anything else. */
export const bareLogin: Signal<'page.bare_login'> = (view) => {
  const { document } = view;
  if (view.secrets.size === 0 || document.visibleText.length > 250 || liveOwnLinks(view) > 1) return null;
  return findingOf({ secrets: secretsInWords(view) });
};

/** Fields have fixed positions, as over a picture of a login page. */
export const fieldsOverPicture: Signal<'page.fields_over_picture'> = (view) => {
  // A small form that floats over a full page is an ordinary login menu.
  if (view.document.visibleText.length > 600) return null;
  const laid = view.secretForms.some((form) => form.fields.some((field) => field.positioned));
  return laid ? findingOf({ secrets: secretsInWords(view) }) : null;
};

/** A page has many password forms, as if it offered a choice of mail providers. */
export const manyPasswordForms: Signal<'page.many_password_forms'> = (view) => {
  const count = view.secretForms.filter((form) => form.fields.some((field) => field.kind === 'password')).length;
  return count < 3 ? null : findingOf({ forms: count }, (count - 1) / 4);
};

/** A login page offers a choice of mail providers, whose password it then asks for. */
export const mailProviderChoice: Signal<'page.mail_provider_choice'> = (view) => {
  if (!view.asksToLogIn) return null;
  const { document } = view;
  const alts = document.assets.map((asset) => `${asset.alt} ${asset.source.slice(-40)}`);
  const text = [document.visibleText.slice(0, 3000), document.hiddenText.slice(0, 2000), ...alts]
    .join(' ')
    .toLowerCase();
  const named = MAIL_SERVICES.filter((name) => text.includes(name));
  if (named.length < 4) return null;
  return findingOf({ providers: named.slice(0, 4).join(', ') }, named.length / 6);
};

/** The visitor's e-mail address is preset, and only the password is asked for. */
export const presetEmail: Signal<'page.preset_email'> = (view) => {
  const fields = view.secretForms.flatMap((form) => form.fields);
  const preset = fields.find((field) => field.presetEmail !== null);
  const fromAddress = view.secrets.has('password') && view.document.scripts.marks.includes('reads_email_from_address');
  if (preset !== undefined) return findingOf({ kind: 'filled_in' });
  return fromAddress ? findingOf({ kind: 'from_address' }, 0.7) : null;
};

/** The page asks for a secret that wallets never ask for on a page. */
export const asksSeedPhrase: Signal<'page.asks_seed_phrase'> = (view) =>
  view.secrets.has('seed_phrase') ? findingOf({}) : null;

/** One form asks for several kinds of secrets. */
export const asksManySecrets: Signal<'page.asks_many_secrets'> = (view) => {
  const count = Math.max(
    0,
    ...view.secretForms.map(
      (form) => new Set(form.fields.map((field) => field.kind).filter((kind) => view.secrets.has(kind))).size,
    ),
  );
  return count < 3 ? null : findingOf({ secrets: secretsInWords(view) }, (count - 1) / 3);
};

/** A frame of another site fills a page without content of its own. */
export const framesOtherSite: Signal<'page.frames_other_site'> = (view) => {
  const { document } = view;
  if (document.visibleText.length > 120 || document.counts.links > 2) return null;
  const there = document.frames.map((frame) => view.foreignHost(frame.url)).find((target) => target !== null);
  return there ? findingOf({ site: there.text }) : null;
};

function liveOwnLinks(view: PageView): number {
  return view.document.links.filter(
    (link) => link.url !== null && /^http/.test(link.url) && view.foreignHost(link.url) === null,
  ).length;
}
