import type { ConfigFor } from '#src/app/config.ts';
import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import { ownPictureName } from '#src/checks/store/pictures/own-picture.ts';
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { addConfiguredBrand, isOnBrandDomain } from '#src/engine/analyzers/page/configured-brand.ts';
import { fingerprintPage, missingTraits } from '#src/engine/analyzers/page/page-fingerprint.ts';
import { printPicture } from '#src/engine/looks/decode-pixels.ts';
import { type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import { requireFile } from '#src/interfaces/cli/named-paths.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { USUAL_HTML_LIMITS } from '#src/network/html/limits.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { PageLook } from '#src/network/probes/page-visit.ts';
import { openSavedPage } from '#src/network/probes/saved-page.ts';
import { readBrandPage, type SeenPage, type WantedBrand } from '#src/parts/tuning/brands/change-brands.ts';
import { isUrl } from './is-url.ts';
import { serveSavedPage } from './serve-saved-page.ts';

const NOTHING: SeenPage = { looks: [], icons: [], pictures: new Map() };

/** Window of the pictures that are compared, and the quality and largest size of one that is kept. */
const WINDOW = { width: 1280, height: 800 } as const;
const QUALITY = 70;
const MAX_BYTES = 200_000;
/** Largest difference of proportions from those of the window. */
const MOST_SKEW = 0.1;
/** Minimum number of cells with an edge in a picture that says something. */
const LEAST_EDGES = 24;
/** Larger pictures are not decoded. */
const MAX_PIXELS = 24_000_000;

/** Visits an own page as a check does, with the browser if one is configured. */
export async function visitOwnPage(target: Target, config: ConfigFor<'check'>, logger: Logger) {
  await using opened = new AsyncDisposableStack();
  const engine = opened.use(await openEngine(config, { store: STORE_NONE, logger }));
  engine.useIcons();
  const taken: Uint8Array[] = [];
  const picture = {
    isOn: true,
    hold: (_visibility: string, _sha256: string, webp: Uint8Array) => void taken.push(webp),
  };
  if (config.browser !== null) {
    const { openBrowser } = await import('#src/parts/browser/open-browser.ts');
    const running = () => ({ ...config, browser_when: 'always' as const });
    opened.use(openBrowser({ engine, running, pictures: picture, logger }));
  }
  const seen: Observations[] = [];
  await engine.checkWith(STORE_NONE).check({
    ...{ target, visibility: 'private', via: 'cli', client: null },
    ...{ requestId: createRequestId(systemClock.now()), startedAtMs: systemClock.now() },
    onObserved: (observations) => void seen.push(observations),
  });
  const page = seen[0]?.page;
  if (page?.state !== 'observed') return { ...NOTHING, visit: null };
  const { look: shown, icon } = page.value;
  const look = shown && isTelling(shown) ? shown : null;
  const webp = taken.at(-1);
  const name = webp === undefined ? null : ownPictureName(webp);
  return {
    /** Null if the page did not answer. */
    visit: page.value,
    looks: look ? [{ ...look, picture: name }] : [],
    icons: icon ? [icon] : [],
    pictures: new Map(look && webp && name !== null ? [[name, webp]] : []),
  };
}

/** Returns the configuration in which a check reaches a page on loopback, and sends nothing else for it. */
export function forPageAt(port: number, config: ConfigFor<'check'>): ConfigFor<'check'> {
  const loopback = parseCidr('127.0.0.1/32');
  if (typeof loopback === 'string') throw new TypeError(loopback);
  return {
    ...config,
    ...{ egress_allow: [...config.egress_allow, loopback], egress_port: [...config.egress_port, port] },
    ...{ egress_proxy: null, probe_off: ['dns', 'registration', 'certificate'] },
  };
}

/** Reads a picture of an own page; null for another file, and a predicate for one that cannot be used. */
export async function lookAtPicture(file: Uint8Array): Promise<SeenPage | { readonly problem: string } | null> {
  try {
    const { width, height } = await new Bun.Image(file, { maxPixels: MAX_PIXELS }).metadata();
    const skew = (width * WINDOW.height) / (height * WINDOW.width);
    if (Math.abs(skew - 1) > MOST_SKEW) {
      return { problem: `has ${width} by ${height} pixels; take it in a window of 1280 by 800` };
    }
    const sized = new Bun.Image(file, { maxPixels: MAX_PIXELS }).resize(WINDOW.width, WINDOW.height, { fit: 'fill' });
    const webp = await sized.webp({ quality: QUALITY }).bytes();
    const print = await printPicture(webp);
    if (print === null) return null;
    if (!isTelling(print)) return { problem: 'shows too little to be compared' };
    const name = webp.length > MAX_BYTES ? null : ownPictureName(webp);
    return {
      looks: [{ ...WINDOW, fields: [], buttons: [], ...print, picture: name }],
      icons: [],
      pictures: new Map(name === null ? [] : [[name, webp]]),
    };
  } catch {
    return null;
  }
}

function isTelling({ edges }: Pick<PageLook, 'edges'>): boolean {
  const cells = Uint8Array.fromHex(edges).reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
  return cells >= LEAST_EDGES;
}

type OwnInvocation = Invocation<ConfigFor<'brand'>>;

/** Pages of a brand, or what stands for one. */
interface OwnPage {
  readonly page: PageDocument | null;
  readonly seen: SeenPage;
  /** Domain that the page adds to those of the brand. */
  readonly domain?: string;
}

const UNSEEN: SeenPage = { looks: [], icons: [], pictures: new Map() };

/** Reads all pages that an invocation names: URLs are visited, saved pages shown by the browser if one is configured. */
export async function readOwnPages(
  invocation: OwnInvocation,
  io: Pick<Io, 'stderr'>,
): Promise<Omit<WantedBrand, 'name'>> {
  const domains = [...invocation.texts('domain')];
  const all: OwnPage[] = [];
  // One after the other: each has a browser of its own.
  for (const page of invocation.texts('page')) {
    const read = isUrl(page)
      ? await visitUrl(page, domains, invocation, io)
      : await readFile(page, domains[0], invocation, io);
    if (read.domain !== undefined) domains.push(read.domain);
    all.push(read);
  }
  return {
    domains,
    pages: all.flatMap(({ page }) => page ?? []),
    seen: {
      looks: all.flatMap(({ seen }) => seen.looks),
      icons: all.flatMap(({ seen }) => seen.icons),
      pictures: new Map(all.flatMap(({ seen }) => [...seen.pictures])),
    },
  };
}

/** The command is given the configuration of checks as well, though its flags do not set it. */
const configOf = ({ config }: OwnInvocation) => config as ConfigFor<'check'>;

const loggerOf = (invocation: OwnInvocation, { stderr }: Pick<Io, 'stderr'>) =>
  diagnosticsOf({ isQuiet: invocation.isQuiet, config: configOf(invocation) }, stderr);

async function visitUrl(
  url: string,
  domains: readonly string[],
  invocation: OwnInvocation,
  io: Pick<Io, 'stderr'>,
): Promise<OwnPage> {
  const target = parseTarget(url);
  if (isTargetProblem(target)) throw new UsageError(`--page: ${target.message}`);
  const config = configOf(invocation);
  if (config.network !== 'full') throw new UsageError('--page: a URL cannot be visited with network = "none" or "dns"');
  const { visit, ...seen } = await visitOwnPage(target, config, loggerOf(invocation, io));
  const landed = visit === null ? target : parseTarget(visit.finalUrl);
  if (visit?.document == null || visit.statusCode >= 400 || isTargetProblem(landed)) {
    throw new UsageError(`--page: ${visibleInTerminal(url)} shows no page: see lurecheck check --trace`);
  }
  const domain = target.host.text;
  const [brand] = addConfiguredBrand([], 'own', [domain, ...domains], []);
  if (brand === undefined || !isOnBrandDomain(brand, landed.host)) {
    throw new UsageError(
      `--page: ${visibleInTerminal(url)} leads to ${landed.host.text}, which is no domain of the brand`,
    );
  }
  const page = missingTraits(fingerprintPage(visit.document)).length === 0 ? visit.document : null;
  if (page === null && seen.looks.length === 0) throw tooLittle(url, ['a look: configure a browser']);
  return { page, seen, domain };
}

async function readFile(
  path: string,
  domain: string | undefined,
  invocation: OwnInvocation,
  io: Pick<Io, 'stderr'>,
): Promise<OwnPage> {
  await requireFile(invocation, 'page', path);
  const file = await Bun.file(invocation.resolvePath(path)).bytes();
  const picture = await lookAtPicture(file);
  if (picture !== null) {
    if ('problem' in picture) throw new UsageError(`--page: ${path} ${picture.problem}`);
    return { page: null, seen: picture };
  }
  const read = await readBrandPage(file, domain);
  if ('problem' in read) throw new UsageError(`--page: ${path} ${read.problem}`);
  const seen = await showSaved(file, path, invocation, io);
  const { page, missing } = read;
  if (missing.length > 0 && seen.looks.length === 0) throw tooLittle(path, missing);
  return { page: missing.length === 0 ? page : null, seen };
}

/** Shows a saved page in the browser. Without a network, nothing of it is loaded, and it is not shown. */
async function showSaved(
  file: Uint8Array,
  path: string,
  invocation: OwnInvocation,
  io: Pick<Io, 'stderr'>,
): Promise<SeenPage> {
  const config = configOf(invocation);
  const opened = await openSavedPage(file, USUAL_HTML_LIMITS.characters);
  if (config.network !== 'full' || 'problem' in opened) return UNSEEN;
  await using served = serveSavedPage(invocation.resolvePath(path), opened.bytes, opened.contentType);
  const target = parseTarget(served.url);
  if (isTargetProblem(target)) return UNSEEN;
  return await visitOwnPage(target, forPageAt(served.port, config), loggerOf(invocation, io));
}

function tooLittle(page: string, missing: readonly string[]): UsageError {
  const listed = new Intl.ListFormat('en', { type: 'conjunction' }).format(missing);
  return new UsageError(
    `--page: ${page} has too little content to be recognized: missing ${listed}; save the complete page or another one, or omit --page to protect the names only`,
  );
}
