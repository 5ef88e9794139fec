import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import { perform } from '#src/admin/audit/act.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { openModels } from '#src/app/scoring/classifier.ts';
import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type ConfiguredBrand, ConfiguredBrandError } from '#src/engine/analyzers/page/configured-brand.ts';
import { type Command, type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import { commandPlace } from '#src/interfaces/cli/command-place.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { reportActivation } from '#src/interfaces/cli/report-activation.ts';
import { indentedJson, REPORT_FORMAT, wantsJson } from '#src/interfaces/cli/report-format.ts';
import { ADD_BRAND, brandRow, findBrand, REMOVE_BRAND } from '#src/parts/tuning/brands/brand-acts.ts';
import { type BrandTrial, isAlarm, trialRow, tryAttacks } from '#src/parts/tuning/brands/brand-trial.ts';
import { isUrl } from '#src/parts/tuning/look/is-url.ts';

type BrandInvocation = Invocation<ConfigFor<'brand'>>;

/** `lurecheck brand` */
export const brandCommand: Command<'brand'> = {
  name: 'brand',
  operands: 'add NAME | remove NAME | list | test NAME',
  summary: 'configure your own brands and sign-in pages, so that imitations are detected',
  options: {
    domain: { type: 'string', multiple: true, value: 'DOMAIN', description: 'Domain of the brand; repeatable.' },
    page: {
      type: 'string',
      multiple: true,
      value: 'URL|FILE',
      description: 'A sign-in page by its URL, or saved from a browser, or its picture; repeatable.',
    },
    format: REPORT_FORMAT,
  },
  examples: [
    {
      line: 'lurecheck brand add "Nordwerk" --domain nordwerk.example --page signon.html',
      purpose: 'Add your own sign-in page.',
    },
    { line: 'lurecheck brand list', purpose: 'List the configured brands.' },
    { line: 'lurecheck brand test "Nordwerk"', purpose: 'Try a brand on twenty synthetic attacks.' },
  ],
  changes: ['add', 'remove'],
  shares: ['brands'],
  named: ({ texts }) => ({ reads: texts('page').filter((page) => !isUrl(page)) }),
  async run(invocation, io) {
    const [action, name, ...rest] = invocation.positionals;
    if (rest.length > 0) throw new UsageError(`a name with spaces must be quoted: "${[name, ...rest].join(' ')}"`);
    const isJson = wantsJson(invocation);
    const dataDir = invocation.config.data_dir;
    const known = readConfiguredBrandsFile(dataDir);
    if (action === 'list' && name !== undefined) throw new UsageError(`brand list takes no name: unexpected "${name}"`);
    if (action === 'list') return await list(known, isJson, io);
    if (name === undefined)
      throw new UsageError('expected brand add NAME, brand remove NAME, brand test NAME or brand list');
    if (action === 'add') return await add(invocation, name, isJson, io);
    if (action === 'test') return await tryOut(dataDir, named(known, name), isJson, io);
    if (action === 'remove') return await remove(invocation, named(known, name), isJson, io);
    throw new UsageError(`brand takes add, remove, list or test, not "${action}"`);
  },
};

async function add(invocation: BrandInvocation, name: string, isJson: boolean, io: Io): Promise<ExitCode> {
  const { readOwnPages } = await import('#src/parts/tuning/look/read-own-pages.ts');
  const wanted = await readOwnPages(invocation, io);
  try {
    await perform(ADD_BRAND, commandPlace(invocation), invocation.actor, { name, ...wanted });
  } catch (error) {
    throw error instanceof ConfiguredBrandError ? new UsageError(error.message, { cause: error }) : error;
  }
  return await report(invocation, isJson, io);
}

async function remove(
  invocation: BrandInvocation,
  { name }: ConfiguredBrand,
  isJson: boolean,
  io: Io,
): Promise<ExitCode> {
  await perform(REMOVE_BRAND, commandPlace(invocation), invocation.actor, name);
  return await report(invocation, isJson, io);
}

function named(known: readonly ConfiguredBrand[], name: string): ConfiguredBrand {
  const brand = findBrand(known, name);
  if (brand === undefined) throw new UsageError(`brand not found: "${name}"; see lurecheck brand list`);
  return brand;
}

async function tryOut(dataDir: string, brand: ConfiguredBrand, isJson: boolean, io: Io): Promise<ExitCode> {
  const trial = tryAttacks(brand, await openModels(dataDir));
  await io.stdout.write(isJson ? indentedJson(trialRow(trial)) : trialAsText(trial));
  return 0;
}

async function report({ config }: BrandInvocation, isJson: boolean, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = config;
  await list(readConfiguredBrandsFile(dataDir), isJson, io);
  return await reportActivation('the configured brands are changed', dataDir, 'brands', io);
}

async function list(brands: readonly ConfiguredBrand[], isJson: boolean, io: Io): Promise<ExitCode> {
  await io.stdout.write(isJson ? indentedJson(brands.map(printedRow)) : listAsText(brands));
  return 0;
}

function listAsText(brands: readonly ConfiguredBrand[]): string {
  const lines = brands.map(
    ({ name, domains, pages, looks = [], icons = [] }) =>
      `${visibleInTerminal(name)}\t${domains.join(' ')}\t${pages.length} pages${counted(looks, 'looks')}${counted(icons, 'icons')}\n`,
  );
  return lines.join('') || 'no brands are configured\n';
}

const counted = (prints: readonly object[], what: string) => (prints.length === 0 ? '' : `, ${prints.length} ${what}`);

function printedRow(brand: ConfiguredBrand) {
  const { looks = [], icons = [] } = brand;
  return { ...brandRow(brand), looks: looks.length, icons: icons.length };
}

/** A line for each URL, and what it comes to. */
function trialAsText({ name, attacks, own }: BrandTrial): string {
  const lines = [...attacks, ...own].map(({ url, trick, probability, decision }) => {
    const percent = `${(probability * 100).toFixed(1)} %`.padStart(7);
    return `${decision.padEnd(5)} ${percent}  ${visibleInTerminal(url)}  (${trick})\n`;
  });
  const seen = attacks.filter(isAlarm).length;
  const alarmed = own.filter(isAlarm).length;
  const end = `${visibleInTerminal(name)}: ${seen} of ${attacks.length} synthetic attacks and ${alarmed} of ${own.length} own domains are warned about or blocked\n`;
  return lines.join('') + end;
}
