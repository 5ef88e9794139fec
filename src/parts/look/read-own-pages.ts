import type { ConfigFor } from '#src/app/config.ts';
import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { addConfiguredBrand, isOnBrandDomain } from '#src/engine/analyzers/page/configured-brand.ts';
import { fingerprintPage, missingTraits } from '#src/engine/analyzers/page/page-fingerprint.ts';
import { type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import { requireFile } from '#src/interfaces/cli/named-paths.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { USUAL_HTML_LIMITS } from '#src/network/html/limits.ts';
import { openSavedPage } from '#src/network/probes/saved-page.ts';
import { readBrandPage, type SeenPage, type WantedBrand } from '#src/parts/tuning/brands/change-brands.ts';
import { isUrl } from './is-url.ts';
import { forPageAt, lookAtPicture, visitOwnPage } from './look-at-page.ts';
import { serveSavedPage } from './serve-saved-page.ts';

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
