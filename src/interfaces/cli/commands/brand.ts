import { learnOwnBrand, type OwnBrand, OwnBrandError } from '#src/engine/analyzers/page/configured-brand.ts';
import { printPage, whatIsMissing } from '#src/engine/analyzers/page/page-fingerprint.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { platformProblem } from '#src/core/knowledge/brands/brand-domain.ts';
import { tryAttacks } from '#src/admin/brands/brand-trial.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { openKnowledge, openModels } from '#src/admin/active/models.ts';
import { readOwnBrandsFile, writeOwnBrandsFile } from '#src/app/own-brands-file.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import { trialAsJson, trialAsText } from '../brand/trial-text.ts';
import { type Command, choice, type Invocation, UsageError } from '../command.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '#src/core/base/io.ts';
import { requireFile } from '../named-paths.ts';
import { tellActive } from '../report-activation.ts';

/** How the list of brands is written. */
const BRAND_FORMATS = ['text', 'json'] as const;

type BrandFormat = (typeof BRAND_FORMATS)[number];

/** `lurecheck brand` */
export const brandCommand: Command<'brand'> = {
  name: 'brand',
  operands: 'add NAME | remove NAME | list | test NAME',
  summary: 'teaches this box your own names and portals, so that what imitates them elsewhere is seen',
  options: {
    domain: { type: 'string', multiple: true, value: 'DOMAIN', description: 'Where it is at home; may be repeated.' },
    page: {
      type: 'string',
      multiple: true,
      value: 'FILE',
      description: 'A page of it, saved from a browser; may be repeated.',
    },
    format: { type: 'string', words: BRAND_FORMATS, description: 'How to write the list. Default: text.' },
  },
  examples: [
    {
      line: 'lurecheck brand add "Nordwerk" --domain nordwerk.example --page signon.html',
      purpose: 'Teach a portal of your own.',
    },
    { line: 'lurecheck brand list', purpose: 'What was taught.' },
    { line: 'lurecheck brand test "Nordwerk"', purpose: 'Which of twenty made-up attacks would be seen.' },
  ],
  changes: ['add', 'remove'],
  named: ({ texts }) => ({ reads: texts('page') }),
  async run(invocation, io) {
    const [action, name, ...rest] = invocation.positionals;
    if (rest.length > 0) throw new UsageError(`put the name in quotes: "${[name, ...rest].join(' ')}"`);
    const format = choice(invocation, 'format', BRAND_FORMATS) ?? 'text';
    const dataDir = invocation.config.data_dir;
    const known = readOwnBrandsFile(dataDir);
    if (action === 'list' && name !== undefined) throw new UsageError(`brand list takes no name, and "${name}" is one`);
    if (action === 'list') return await list(known, format, io);
    if (name === undefined)
      throw new UsageError('write brand add NAME, brand remove NAME, brand test NAME, or brand list');
    if (action === 'add') return await keep(invocation, await learn(known, name, invocation), format, io);
    if (action === 'test') return await tryOut(dataDir, named(known, name), format, io);
    if (action === 'remove') return await keep(invocation, forget(known, name), format, io);
    throw new UsageError(`brand takes add, remove, list or test, not "${action}"`);
  },
};

async function learn(known: readonly OwnBrand[], name: string, invocation: Invocation): Promise<OwnBrand[]> {
  const domains = invocation.texts('domain');
  const knowledge = await openKnowledge();
  for (const domain of domains) {
    const problem = platformProblem(domain, knowledge);
    if (problem !== null) throw new UsageError(problem);
  }
  const pages = await Promise.all(invocation.texts('page').map((path) => readSaved(path, invocation, domains[0])));
  try {
    return learnOwnBrand(known, name, domains, pages);
  } catch (error) {
    throw error instanceof OwnBrandError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** A saved page, read as if the brand's own domain had answered with it. */
async function readSaved(
  path: string,
  invocation: Pick<Invocation, 'place'>,
  domain = 'localhost',
): Promise<PageDocument> {
  await requireFile(invocation, 'page', path);
  const page = readPage(await Bun.file(invocation.place(path)).bytes(), {
    contentType: null,
    url: `https://${domain}/`,
  });
  const missing = whatIsMissing(printPage(page));
  if (missing.length === 0) return page;
  throw new UsageError(
    `${path} is too thin to be told from other pages: it lacks ${listed(missing)}. Save the page whole, as the browser shows it, or another one with more on it; without --page the names alone are watched over`,
  );
}

function forget(known: readonly OwnBrand[], name: string): OwnBrand[] {
  const brand = named(known, name);
  return known.filter((other) => other !== brand);
}

function named(known: readonly OwnBrand[], name: string): OwnBrand {
  const brand = known.find((other) => other.name.toLowerCase() === name.trim().toLowerCase());
  if (brand === undefined) throw new UsageError(`no brand "${name}" was taught; see lurecheck brand list`);
  return brand;
}

async function tryOut(dataDir: string, brand: OwnBrand, format: BrandFormat, io: Io): Promise<ExitCode> {
  const trial = tryAttacks(brand, await openModels(dataDir));
  await io.stdout.write(format === 'json' ? trialAsJson(trial) : trialAsText(trial));
  return 0;
}

function listed(items: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(items);
}

async function keep(
  { config, positionals: [action, name], actor }: Invocation<ConfigFor<'brand'>>,
  brands: readonly OwnBrand[],
  format: BrandFormat,
  io: Io,
): Promise<ExitCode> {
  const { data_dir: dataDir } = config;
  await audited(dataDir, actor, { action: `brand.${action}`, subject: name ?? null }, () =>
    writeOwnBrandsFile(dataDir, brands),
  );
  await list(brands, format, io);
  return await tellActive('the configured brands are changed', dataDir, 'brands', io);
}

async function list(brands: readonly OwnBrand[], format: BrandFormat, io: Io): Promise<ExitCode> {
  await io.stdout.write(format === 'json' ? listAsJson(brands) : listAsText(brands));
  return 0;
}

function listAsText(brands: readonly OwnBrand[]): string {
  const lines = brands.map(
    ({ name, domains, pages }) => `${visibleInTerminal(name)}\t${domains.join(' ')}\t${pages.length} pages\n`,
  );
  return lines.join('') || 'no brand was taught yet\n';
}

function listAsJson(brands: readonly OwnBrand[]): string {
  const rows = brands.map(({ name, domains, pages }) => ({ name, domains, pages: pages.length }));
  return `${visibleJson(JSON.stringify(rows, null, 2))}\n`;
}
