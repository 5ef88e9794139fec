import type { Brand, BrandTable } from '#src/core/knowledge/brands/brands.ts';
import { searchFor } from '#src/core/knowledge/fact-file.ts';
import type { PageKnowledge } from '#src/core/knowledge/index.ts';
import { LURE_WORDS, setsNoSpaces } from '#src/core/knowledge/words/lure-words.ts';
import { chosenName, type Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { CertificateInfo } from '#src/network/certificate/info.ts';
import {
  type FieldKind,
  isReadToEnd,
  type PageDocument,
  type PageField,
  type PageForm,
  SECRET_KINDS,
} from '#src/network/html/document.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { certifiedHost } from '../visited-hosts.ts';
import { brandNamesOf } from './brand-names.ts';
import { distinctivePart, isGeneric, squash } from './words.ts';

/** Input of {@link viewPage}. */
export interface ViewSubject {
  readonly target: Target;
  readonly observations: Pick<Observations, 'page'> & Partial<Pick<Observations, 'certificate' | 'landing'>>;
  readonly knowledge: PageKnowledge;
}

/** A page with properties that several signals use. */
export interface PageView extends Pick<PageVisit, 'look' | 'icon'> {
  readonly document: PageDocument;
  /** True if the page ended early or exceeded the limits of the parser. */
  readonly isCut: boolean;
  /** Bytes of the page that were read. */
  readonly sizeBytes: number;
  /** URL of the page, after redirects. */
  readonly location: Target;
  /** True if the link ended on another site than the requested one. */
  readonly isElsewhere: boolean;
  readonly brands: BrandTable;
  /** Brands to which the page's site belongs; usually empty. */
  readonly owners: ReadonlySet<Brand>;
  /** True if third parties publish on the site, as on a form service. */
  readonly isShared: boolean;
  /** Forms that a visitor can fill in, and those that script may take from a template; without search boxes. */
  readonly forms: readonly PageForm[];
  /** Forms that ask for a secret. */
  readonly secretForms: readonly PageForm[];
  readonly secrets: ReadonlySet<FieldKind>;
  /** True if the page asks for a secret, or for an e-mail address or user name as the first step of a login. */
  readonly asksToLogIn: boolean;
  /** True if title, headings, text or metadata name the site of the page. */
  readonly namesItsSite: boolean;
  /** Returns the host of an address on the page; null if it has none or belongs to the page's own site. */
  foreignHost(url: string | null): Host | null;
}

const CONTINUE_LABELS = searchFor({
  whole: [...LURE_WORDS.button].filter((phrase) => !setsNoSpaces(phrase)),
  anywhere: [...LURE_WORDS.button].filter(setsNoSpaces),
});

/** Derives the view of a visited page; null if no page was read. */
export function viewPage({ target, observations, knowledge }: ViewSubject): PageView | null {
  if (observations.page.state !== 'observed') return null;
  const { brands } = knowledge;
  const { document, finalUrl, truncated, contentLength, look, icon } = observations.page.value;
  if (document === null) return null;
  const parsed = parseTarget(finalUrl);
  const location = isTargetProblem(parsed) ? target : parsed;
  const forms = document.forms.filter((form) => !isSearch(form));
  const secretForms = forms.filter((form) => form.fields.some(isSecret));
  const secrets = new Set(
    secretForms.flatMap((form) => form.fields.map((field) => field.kind)).filter((kind) => SECRET_KINDS.has(kind)),
  );
  const cache = new Map<string, Host | null>();
  return {
    document,
    ...(look && { look }),
    ...(icon && { icon }),
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

/** Returns the certificate of the page's host; null if it was not observed. */
function certificateOf(
  host: string,
  asked: string,
  { certificate, landing }: ViewSubject['observations'],
): CertificateInfo | null {
  const seen = landing?.host === host ? landing.certificate : host === asked ? certificate : undefined;
  return seen?.state === 'observed' ? seen.value : null;
}

function isSecret(field: PageField): boolean {
  return SECRET_KINDS.has(field.kind);
}

function isSearch(form: PageForm): boolean {
  const asked = form.fields.filter((field) => field.kind !== 'hidden');
  return asked.length === 0 || (asked.length === 1 && asked[0]?.kind === 'search');
}

/**
 * Returns true for at most two fields for a name or an address, with a button that continues rather than subscribes.
 */
function isFirstStep(form: PageForm): boolean {
  const asked = form.fields.filter(
    (field) => field.kind === 'email' || field.kind === 'user_name' || field.kind === 'phone',
  );
  return asked.length > 0 && asked.length <= 2 && CONTINUE_LABELS.test(form.buttonTexts.join(' ').toLowerCase());
}

/** Returns true for the same site, or the same name under another suffix (`example.com`, `example.co.uk`). */
function isSameOwner(left: Host, right: Host): boolean {
  if (left.site === right.site) return true;
  return left.registrable !== null && ownLabel(left).length > 3 && ownLabel(left) === ownLabel(right);
}

/** Returns the name that the owner of a site chose, without suffix and hyphens. */
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
  // Every login page contains the words of a host such as `secure-login`.
  if (distinctivePart(label).length < 3) return false;
  if (said.includes(squash(label))) return true;
  // "MyBank" names `mybank-online.example`.
  return label.split(/[-_.]/).some((part) => part.length > 4 && !isGeneric(part) && said.includes(part));
}

/** Maximum number of sites in a certificate of one owner; more are customers of a content network. */
const MAX_SITES = 10;
/** Minimum weight of a name that is not an ordinary word. */
const SURE_WEIGHT = 0.8;

/**
 * Returns the brands to which the page's site belongs: by their own domains, by a trusted certificate that also names
 * one of these domains, or by a certificate whose holder the authority has validated (OV and EV certificates carry an
 * `O=`).
 */
function ownersOfHost(host: Host, certificate: CertificateInfo | null, brands: BrandTable): ReadonlySet<Brand> {
  const owners = new Set(brands.ownersOf(host));
  if (certificate === null || !certificate.trusted) return owners;
  const named = certificate.sans.flatMap((name) => certifiedHost(name) ?? []);
  if (new Set(named.map(({ site }) => site)).size <= MAX_SITES) {
    for (const host of named) for (const brand of brands.ownersOf(host)) owners.add(brand);
  }
  const holder = /(?:^|, )O=((?:\\,|[^,])+)/.exec(certificate.subject)?.[1]?.replaceAll('\\,', ',') ?? '';
  for (const { brand, weight } of brandNamesOf(brands).find(holder)) if (weight >= SURE_WEIGHT) owners.add(brand);
  return owners;
}
