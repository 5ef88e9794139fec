import type { CertificateInfo } from '#src/network/certificate/info.ts';
import { type FieldKind, isReadToEnd, type PageDocument, type PageField, type PageForm } from '#src/network/html/document.ts';
import type { Brand, BrandTable } from '#src/core/knowledge/brands/brands.ts';
import type { PageKnowledge } from '#src/core/knowledge/index.ts';
import { LURE_WORDS, setsNoSpaces } from '#src/core/knowledge/words/lure-words.ts';
import { searchFor } from '#src/core/knowledge/patterns.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { chosenName, type Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { isGeneric, properPart } from './generic-words.ts';
import { ownersOfHost } from './host-owners.ts';
import { squash } from './words.ts';

/** What a page is viewed by. */
export interface ViewSubject {
  readonly target: Target;
  readonly observations: Pick<Observations, 'page'> & Partial<Pick<Observations, 'certificate' | 'landing'>>;
  readonly knowledge: PageKnowledge;
}

/** A page with what several signs ask of it. */
export interface PageView {
  readonly document: PageDocument;
  /** Whether the page ended early, or was longer than what is read of it. */
  readonly isCut: boolean;
  /** How much of the page was read, in bytes. */
  readonly sizeBytes: number;
  /** Where the page stands, after redirects. */
  readonly location: Target;
  /** Whether the link led away from the site that was asked for. */
  readonly isElsewhere: boolean;
  readonly brands: BrandTable;
  /** The brands that the page's site belongs to; mostly none. */
  readonly owners: ReadonlySet<Brand>;
  /** Whether strangers publish on that site, as on a form service. */
  readonly isShared: boolean;
  /** Forms that a visitor can fill in, also those that script may take out of a template; no search boxes. */
  readonly forms: readonly PageForm[];
  /** Forms that ask for a secret. */
  readonly secretForms: readonly PageForm[];
  readonly secrets: ReadonlySet<FieldKind>;
  /** Whether it asks for a secret, or for an e-mail address or user name as the first step of a login. */
  readonly asksToLogIn: boolean;
  /** Whether the page names the site that it stands on, in its title, headings, copyright line or metadata. */
  readonly namesItsSite: boolean;
  /** The host of an address on the page; null where it has none, or lies on the page's own site. */
  foreignHost(url: string | null): Host | null;
}

/** Things that nobody should give to a stranger. */
const SECRETS: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'password',
  'card_number',
  'card_code',
  'one_time_code',
  'seed_phrase',
  'identity_number',
  'bank_account',
]);

/** What is on the button with which a login goes on. */
const GOES_ON = searchFor({
  whole: [...LURE_WORDS.button].filter((phrase) => !setsNoSpaces(phrase)),
  anywhere: [...LURE_WORDS.button].filter(setsNoSpaces),
});

/** Takes a visit apart for the signs to read; null where no page was read. */
export function viewPage({ target, observations, knowledge }: ViewSubject): PageView | null {
  if (observations.page.state !== 'observed') return null;
  const { brands } = knowledge;
  const { document, finalUrl, truncated, contentLength } = observations.page.value;
  if (document === null) return null;
  const parsed = parseTarget(finalUrl);
  const location = isTargetProblem(parsed) ? target : parsed;
  const forms = document.forms.filter((form) => !isSearch(form));
  const secretForms = forms.filter((form) => form.fields.some(isSecret));
  const secrets = new Set(
    secretForms.flatMap((form) => form.fields.map((field) => field.kind)).filter((kind) => SECRETS.has(kind)),
  );
  const cache = new Map<string, Host | null>();
  return {
    document,
    isCut: truncated || !isReadToEnd(document),
    sizeBytes: contentLength,
    location,
    isElsewhere: location.host.site !== target.host.site,
    brands,
    owners: ownersOfHost(location.host, certificateOf(location.host.text, target.host.text, observations), brands),
    isShared: knowledge.hostFact(location.host) !== null,
    forms,
    secretForms,
    secrets,
    asksToLogIn: secrets.size > 0 || forms.some(isFirstStep),
    namesItsSite: namesSite(document, location.host),
    foreignHost(url) {
      if (url === null) return null;
      const origin = /^https?:\/\/[^/?#]*/i.exec(url)?.[0];
      if (origin === undefined) return null;
      const known = cache.get(origin);
      if (known !== undefined) return known;
      const there = parseTarget(origin);
      const foreign = isTargetProblem(there) || isSameOwner(there.host, location.host) ? null : there.host;
      cache.set(origin, foreign);
      return foreign;
    },
  };
}

/** The certificate of the host that the page stands on; null where that was not seen. */
function certificateOf(
  host: string,
  asked: string,
  { certificate, landing }: ViewSubject['observations'],
): CertificateInfo | null {
  const seen = landing?.host === host ? landing.certificate : host === asked ? certificate : undefined;
  return seen?.state === 'observed' ? seen.value : null;
}

function isSecret(field: PageField): boolean {
  return SECRETS.has(field.kind);
}

function isSearch(form: PageForm): boolean {
  const asked = form.fields.filter((field) => field.kind !== 'hidden');
  return asked.length === 0 || (asked.length === 1 && asked[0]?.kind === 'search');
}

/** One field for a name or an address, and a button that goes on rather than one that subscribes to a newsletter. */
function isFirstStep(form: PageForm): boolean {
  const asked = form.fields.filter(
    (field) => field.kind === 'email' || field.kind === 'user_name' || field.kind === 'phone',
  );
  return asked.length > 0 && asked.length <= 2 && GOES_ON.test(form.buttonTexts.join(' ').toLowerCase());
}

/** The same site, or the same name under another suffix (`example.com`, `example.co.uk`). */
function isSameOwner(left: Host, right: Host): boolean {
  if (left.site === right.site) return true;
  return left.registrable !== null && ownLabel(left).length > 3 && ownLabel(left) === ownLabel(right);
}

/** The name that the owner of a site chose, without suffix and hyphens. */
export function ownLabel(host: Host): string {
  return squash(chosenName(host));
}

function namesSite(document: PageDocument, host: Host): boolean {
  if (host.kind !== 'name') return false;
  const { title, meta, headings, visibleText } = document;
  const { author, 'application-name': application, 'og:site_name': siteName } = meta;
  const said = squash(
    [title ?? '', siteName ?? '', application ?? '', author ?? '', ...headings, visibleText].join(' '),
  );
  const label = chosenName(host);
  // A host called `secure-login` is named by every login page, and says nothing.
  if (properPart(label).length < 3) return false;
  if (said.includes(squash(label))) return true;
  // `mybank-online.example` names itself by saying "MyBank".
  return label.split(/[-_.]/).some((part) => part.length > 4 && !isGeneric(part) && said.includes(part));
}
