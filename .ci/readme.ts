import { join } from 'node:path';
import { FIRST_SETTINGS, SETTINGS } from '#src/app/config.ts';
import { buildStatements } from '#src/checks/store/statements/build-statements.ts';
import { type SettingTable, settableIn, valuesOf } from '#src/core/base/settings/setting.ts';
import { flagOf } from '#src/core/base/settings/setting-reader.ts';
import { variableOf } from '#src/core/base/settings/setting-source.ts';
import { EXIT_CODES } from '#src/interfaces/cli/exit-codes.ts';
import { PARTS } from '#src/service/manual/parts.ts';
import { FleetFiguresSchema, fleetText } from '#test/bench/fleet-figures.ts';
import { LargeLogFiguresSchema, largeLogText } from '#test/bench/large-log-figures.ts';
import { PeerReportSchema, peerTable } from '#test/bench/peer-figures.ts';
import { BenchReportSchema } from '#test/bench/report.ts';
import { scaleText } from '#test/bench/scale-text.ts';
import { SharedLimiterFiguresSchema, sharedLimiterText } from '#test/bench/shared-limiter-figures.ts';
import { sizingText } from '#test/bench/sizing-text.ts';
import { reportTable } from '#test/bench/table.ts';
import { SoakFiguresSchema, soakTable } from '#test/soak/figures.ts';
import { FOLDERS, ROOMS } from '#test/support/layers.ts';
import { parseAs } from '#test/support/parse-as.ts';

/** Statements of the log, as Drizzle writes them. */
export const STATEMENTS = 'src/checks/store/statements/statements.json';

/** Returns the content of {@link STATEMENTS}. */
export function statementsJson(): string {
  return `${JSON.stringify(buildStatements(), null, 2)}\n`;
}

/** The URL of the README's example. */
const EXAMPLE_URL = 'http://paypal-login.verify-account.cyou/signin';

/** Parts of the manual with generated blocks. */
export const FLEET = 'src/service/manual/fleet.md';
export const SIZING = 'src/service/manual/sizing.md';
export const REFERENCE = 'src/service/manual/reference.md';

/** Members that differ in each answer; comparisons ignore them. */
const VOLATILE = /"(timestamp|request_id)": "[^"]*"|"(analysis_time|observe|assess)": [\d.e-]+/g;

/** Returns the reference with its table of settings. */
export function withSettings(readme: string, table: SettingTable = SETTINGS): string {
  return replaceBlock(readme, 'settings', settingsTable(settableIn(table)));
}

/** All figures, which few operators need: the manual has those that sizes follow from. */
export const MEASUREMENTS = '.github/MEASUREMENTS.md';

/** Returns the measurements with the figures of the latest soak; a text without their block stays as it is. */
export async function withSoak(readme: string): Promise<string> {
  const figures: unknown = await Bun.file(new URL('../test/soak/figures.json', import.meta.url)).json();
  return replaceOptional(readme, 'soak', soakTable(parseAs(SoakFiguresSchema, figures)));
}

/** Returns the measurements with the figures of the latest bench; a text without their block stays as it is. */
export async function withBench(readme: string): Promise<string> {
  const report: unknown = await Bun.file(new URL('../test/bench/bench.json', import.meta.url)).json();
  return replaceOptional(readme, 'bench', reportTable(parseAs(BenchReportSchema, report)));
}

/** Returns the measurements with the latest figures of other services; a text without their block stays as it is. */
export async function withPeers(readme: string): Promise<string> {
  const report: unknown = await Bun.file(new URL('../test/bench/peers.json', import.meta.url)).json();
  return replaceOptional(readme, 'peers', peerTable(parseAs(PeerReportSchema, report)));
}

/** Returns the measurements with the latest figures of a shared limiter; a text without their block stays as it is. */
export async function withSharedLimiter(readme: string): Promise<string> {
  const figures: unknown = await Bun.file(new URL('../test/bench/shared-limiter.json', import.meta.url)).json();
  return replaceOptional(readme, 'limiter', sharedLimiterText(parseAs(SharedLimiterFiguresSchema, figures)));
}

/** Returns the part `fleet` with the latest figures of nodes and databases. */
export async function withFleet(readme: string): Promise<string> {
  const figures: unknown = await Bun.file(new URL('../test/bench/fleet.json', import.meta.url)).json();
  return replaceBlock(readme, 'fleet', fleetText(parseAs(FleetFiguresSchema, figures)));
}

/** What a year takes at several rates. */
export const SCALE = '.github/SCALE.md';

/** Returns the document on scale with what follows from the latest figures of nodes and databases. */
export async function withScale(text: string): Promise<string> {
  const figures: unknown = await Bun.file(new URL('../test/bench/fleet.json', import.meta.url)).json();
  return replaceBlock(text, 'scale', scaleText(parseAs(FleetFiguresSchema, figures)));
}

/** Returns the part `sizing` with a summary of the latest bench and soak, and the figures of a large log. */
export async function withSizing(text: string): Promise<string> {
  const read = async (path: string): Promise<unknown> => await Bun.file(new URL(path, import.meta.url)).json();
  const bench = parseAs(BenchReportSchema, await read('../test/bench/bench.json'));
  const soak = parseAs(SoakFiguresSchema, await read('../test/soak/figures.json'));
  const largeLog = parseAs(LargeLogFiguresSchema, await read('../test/bench/large-log.json'));
  return replaceBlock(replaceBlock(text, 'sizing', sizingText(bench, soak)), 'large log', largeLogText(largeLog));
}

/** Returns the README with its table of the parts of the manual. */
export function withParts(readme: string): string {
  const rows = Object.entries(PARTS).map(([name, about]) => `| [${name}](src/service/manual/${name}.md) | ${about} |`);
  return replaceBlock(readme, 'manual', ['| part | what it is about |', '|---|---|', ...rows].join('\n'));
}

/** Returns the README with its table of folders. */
export function withFolders(readme: string): string {
  const rows = Object.entries(FOLDERS).map(([folder, about]) => `| \`${folder}\` | ${about} |`);
  return replaceBlock(readme, 'folders', ['| folder | holds |', '|---|---|', ...rows].join('\n'));
}

/** Returns CONTRIBUTING with its table of rooms. */
export function withRooms(text: string): string {
  const listed = (places: readonly string[]) => places.map((place) => `\`${place}\``).join(', ');
  const rows = Object.entries(ROOMS).map(([room, { about, values, types = [] }]) => {
    const imports = [listed(values), types.length > 0 ? `types of ${listed(types)}` : ''].filter(Boolean).join('; ');
    return `| \`${room}\` | ${about} | ${imports || '–'} |`;
  });
  return replaceBlock(text, 'rooms', ['| room | holds | imports |', '|---|---|---|', ...rows].join('\n'));
}

/** Returns the reference with its table of exit codes. */
export function withExitCodes(readme: string): string {
  const rows = EXIT_CODES.map(({ code, meaning }) => `| ${code} | ${meaning} |`);
  return replaceBlock(readme, 'exit codes', ['| exit code | meaning |', '|---|---|', ...rows].join('\n'));
}

/** Returns the README with an answer in its example; unchanged if only volatile members differ. */
export function withAnswer(readme: string, answer: string): string {
  const renewed = replaceBlock(readme, 'answer', `\`\`\`json\n${answer.trim()}\n\`\`\``);
  return withoutVolatile(renewed) === withoutVolatile(readme) ? readme : renewed;
}

/** Returns the README without members that differ from one check of the same URL to the next. */
export function withoutVolatile(readme: string): string {
  return readme.replace(VOLATILE, (member) => `${member.slice(0, member.indexOf(':'))}: …`);
}

/** Returns the program's answer to the README's example, without a network. */
export async function exampleAnswer(): Promise<string> {
  const main = join(import.meta.dir, '../src/main.ts');
  const how = ['--network', 'none', '--view', 'short', '--format', 'json'];
  const command = [process.execPath, main, 'check', ...how, EXAMPLE_URL];
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  // One line per reason, as a person would write it.
  return (await child.stdout.text()).replaceAll(/\{\n\s+("code": .*)\n\s+("weight": .*)\n\s+\}/g, '{ $1 $2 }');
}

function replaceBlock(readme: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}: written by \`bun .ci/readme.ts\` -->`, `<!-- end of ${name} -->`];
  const [before, rest = ''] = readme.split(start);
  const after = rest.split(end)[1];
  if (after === undefined) throw new Error(`the text has lost the markers of its ${name}`);
  return `${before}${start}\n\n${content}\n\n${end}${after}`;
}

const replaceOptional = (text: string, name: string, content: string): string =>
  text.includes(`<!-- ${name}: written`) ? replaceBlock(text, name, content) : text;

function settingsTable(table: SettingTable): string {
  const isFirst = (key: string) => FIRST_SETTINGS.some((one) => one === key);
  const first = FIRST_SETTINGS.flatMap((key) => Object.entries(table).filter(([other]) => other === key));
  const others = Object.entries(table).filter(([key]) => !isFirst(key));
  const ordered = [...first, ...others];
  const rows = ordered.map(([key, setting]) => {
    const { kind, default: value, description, isReloadable } = setting;
    const same = ordered.find(([, other]) => valuesOf(other) === valuesOf(setting))?.[0] ?? key;
    const byDefault = kind.write(value);
    const shown = byDefault === '' ? '–' : `\`${byDefault}\``;
    const values = same === key || valuesOf(setting).length < 40 ? shortValues(setting) : `as \`${same}\``;
    const cells = [shown, values, isReloadable ? 'yes' : '', firstSentence(description)];
    return `| ${isFirst(key) ? '**' : ''}\`${key}\`${isFirst(key) ? '**' : ''} | ${cells.map(escapeCell).join(' | ')} |`;
  });
  return ['| key | default | value | reloadable | meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** The beginning of what a setting takes; `lurecheck help NAME` has all of it. */
const shortValues = (setting: SettingTable[string]): string =>
  valuesOf(setting)
    .replace(', or file:/path of a file that contains it', '')
    .replace(/^true or false$/, 'boolean')
    .replace(
      /^(.{30,}?)(?:, with | with an|, which | \(|: hmac|, or postgres|, and name:|, or the word|, or unix|; or ).*?(; repeatable)?$/,
      '$1 …$2',
    );

/** The first sentence of a long description; `lurecheck help NAME` has the rest. */
const firstSentence = (description: string): string =>
  description.length <= 110 ? description : description.replace(/(?<=[a-z)]\.) [\s\S]*$/, '');

const escapeCell = (text: string) => text.replaceAll('|', '\\|');

if (import.meta.main) {
  const renew = async (name: string, change: (text: string) => Promise<string>) => {
    const path = new URL(`../${name}`, import.meta.url);
    await Bun.write(path, await change(await Bun.file(path).text()));
  };
  await renew('README.md', async (text) => withAnswer(withFolders(withParts(text)), await exampleAnswer()));
  await renew('.github/CONTRIBUTING.md', async (text) => withRooms(text));
  await renew(REFERENCE, async (text) => withExitCodes(withSettings(text)));
  await Bun.write(new URL(`../${STATEMENTS}`, import.meta.url), statementsJson());
  Bun.spawnSync([process.execPath, 'x', 'biome', 'format', '--write', STATEMENTS]);
  await renew(FLEET, withFleet);
  await renew(SCALE, withScale);
  await renew(SIZING, withSizing);
  await renew(
    MEASUREMENTS,
    async (text) => await withSharedLimiter(await withPeers(await withSoak(await withBench(text)))),
  );
  process.stdout.write(
    `${Object.keys(settableIn(SETTINGS)).length} settings, such as --${flagOf('rate_limit')} or ${variableOf('rate_limit')}\n`,
  );
}
