import { join } from 'node:path';
import { explainSetting, type SettingTable, settableIn } from '#src/core/base/settings/setting.ts';
import { variableOf } from '#src/core/base/settings/setting-environment.ts';
import { flagOf } from '#src/core/base/settings/setting-reader.ts';
import { EXIT_CODES } from '#src/interfaces/cli/exit-codes.ts';
import { PARTS } from '#src/service/manual/parts.ts';
import { SETTINGS } from '#src/app/config.ts';
import { FleetFiguresSchema, fleetText } from '#test/bench/fleet-figures.ts';
import { BenchReportSchema } from '#test/bench/report.ts';
import { SharedLimiterFiguresSchema, sharedLimiterText } from '#test/bench/shared-limiter-figures.ts';
import { sizingText } from '#test/bench/sizing-text.ts';
import { reportTable } from '#test/bench/table.ts';
import { SoakFiguresSchema, soakTable } from '#test/soak/figures.ts';
import { parseAs } from '#test/support/parse-as.ts';

/** The URL of the README's example. */
const EXAMPLE_URL = 'http://paypal-login.verify-account.cyou/signin';

/** Parts of the manual that hold figures. */
export const FLEET = 'src/service/manual/fleet.md';
export const SIZING = 'src/service/manual/sizing.md';

/** Members that differ each time, with what stands for them in a comparison. */
const VOLATILE = /"(timestamp|request_id)": "[^"]*"|"(analysis_time|observe|assess)": [\d.e-]+/g;

/** The README with its table of settings made anew from the code; a test holds the two together. */
export function withSettings(readme: string, table: SettingTable = SETTINGS): string {
  return replaceBlock(readme, 'settings', settingsTable(settableIn(table)));
}

/** The README with the figures of the soak that was kept last. */
export async function withSoak(readme: string): Promise<string> {
  const figures: unknown = await Bun.file(new URL('../test/soak/figures.json', import.meta.url)).json();
  return replaceBlock(readme, 'soak', soakTable(parseAs(SoakFiguresSchema, figures)));
}

/** The README with what the bench measured last, which it left in a file. */
export async function withBench(readme: string): Promise<string> {
  const report: unknown = await Bun.file(new URL('../test/bench/bench.json', import.meta.url)).json();
  return replaceBlock(readme, 'bench', reportTable(parseAs(BenchReportSchema, report)));
}

/** The part on several machines with what a shared limiter takes, as it was measured last. */
export async function withSharedLimiter(readme: string): Promise<string> {
  const figures: unknown = await Bun.file(new URL('../test/bench/shared-limiter.json', import.meta.url)).json();
  return replaceBlock(readme, 'limiter', sharedLimiterText(parseAs(SharedLimiterFiguresSchema, figures)));
}

/** The part on several machines with what a node and a database carry, as it was measured last. */
export async function withFleet(readme: string): Promise<string> {
  const figures: unknown = await Bun.file(new URL('../test/bench/fleet.json', import.meta.url)).json();
  return replaceBlock(readme, 'fleet', fleetText(parseAs(FleetFiguresSchema, figures)));
}

/** The part on sizing with what the bench and the soak measured last, in sentences. */
export async function withSizing(text: string): Promise<string> {
  const read = async (path: string): Promise<unknown> => await Bun.file(new URL(path, import.meta.url)).json();
  const bench = parseAs(BenchReportSchema, await read('../test/bench/bench.json'));
  const soak = parseAs(SoakFiguresSchema, await read('../test/soak/figures.json'));
  return replaceBlock(text, 'sizing', sizingText(bench, soak));
}

/** The README with its table of the parts of the manual made anew. */
export function withParts(readme: string): string {
  const rows = Object.entries(PARTS).map(([name, about]) => `| [${name}](src/service/manual/${name}.md) | ${about} |`);
  return replaceBlock(readme, 'manual', ['| part | what it is about |', '|---|---|', ...rows].join('\n'));
}

/** The README with its table of exit codes made anew from the code. */
export function withExitCodes(readme: string): string {
  const rows = EXIT_CODES.map(({ code, meaning }) => `| ${code} | ${meaning} |`);
  return replaceBlock(readme, 'exit codes', ['| exit code | meaning |', '|---|---|', ...rows].join('\n'));
}

/** The README with an answer in its example; as it is where nothing differs but what differs each time. */
export function withAnswer(readme: string, answer: string): string {
  const renewed = replaceBlock(readme, 'answer', `\`\`\`json\n${answer.trim()}\n\`\`\``);
  return withoutVolatile(renewed) === withoutVolatile(readme) ? readme : renewed;
}

/** The README without what differs from one check of the same URL to the next. */
export function withoutVolatile(readme: string): string {
  return readme.replace(VOLATILE, (member) => `${member.slice(0, member.indexOf(':'))}: …`);
}

/** What the program answers to the README's example, without a network. */
export async function exampleAnswer(): Promise<string> {
  const main = join(import.meta.dir, '../src/main.ts');
  const command = [process.execPath, main, 'check', '--network', 'none', '--format', 'json', EXAMPLE_URL];
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  return await child.stdout.text();
}

function replaceBlock(readme: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}: written by \`bun .ci/readme.ts\` -->`, `<!-- end of ${name} -->`];
  const [before, rest = ''] = readme.split(start);
  const after = rest.split(end)[1];
  if (after === undefined) throw new Error(`the text has lost the markers of its ${name}`);
  return `${before}${start}\n\n${content}\n\n${end}${after}`;
}

function settingsTable(table: SettingTable): string {
  const rows = Object.entries(table).map(([key, row]) => {
    const byDefault = row.kind.write(row.default);
    const written = byDefault === '' ? '–' : `\`${byDefault}\``;
    return `| \`${key}\` | ${escapeCell(written)} | ${escapeCell(explainSetting(row))} |`;
  });
  return ['| key | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

const escapeCell = (text: string) => text.replaceAll('|', '\\|');

if (import.meta.main) {
  const renew = async (name: string, change: (text: string) => Promise<string>) => {
    const path = new URL(`../${name}`, import.meta.url);
    await Bun.write(path, await change(await Bun.file(path).text()));
  };
  await renew('README.md', async (text) =>
    withAnswer(await withBench(await withSoak(withParts(withExitCodes(withSettings(text))))), await exampleAnswer()),
  );
  await renew(FLEET, async (text) => await withSharedLimiter(await withFleet(text)));
  await renew(SIZING, withSizing);
  process.stdout.write(
    `${Object.keys(settableIn(SETTINGS)).length} settings, such as --${flagOf('rate_limit')} or ${variableOf('rate_limit')}\n`,
  );
}
