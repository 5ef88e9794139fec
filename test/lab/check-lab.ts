import { Type } from '@sinclair/typebox';
import { type CheckResult, CheckResultSchema } from '#src/checks/record/check-result.ts';
import { lurecheck } from '#test/support/executable.ts';
import type { Internet } from '#test/support/internet.ts';
import { parseAs } from '#test/support/parse-as.ts';
import type { LabSite } from './sites.ts';

/** Limits that nothing strikes which answers at all, however busy the machine is. */
const PATIENCE = ['deadline', 'connect-timeout', 'dns-timeout', 'registry-timeout', 'html-timeout'].flatMap((limit) => [
  `--${limit}-seconds`,
  '30',
]);
/** For those who never end by themselves. */
const BREVITY = ['--deadline-seconds', '3'];

/** Lets the executable check every site of a running laboratory; the results by name. */
export async function checkLab(
  internet: Internet,
  sites: Readonly<Record<string, LabSite>>,
  args: readonly string[],
): Promise<Map<string, CheckResult>> {
  const names = Object.keys(sites);
  const stalling = names.filter((name) => sites[name]?.isStalling);
  const answering = names.filter((name) => !stalling.includes(name));
  const checked = await Promise.all([
    checkSites(internet, answering, [...PATIENCE, ...args]),
    checkSites(internet, stalling, [...BREVITY, ...args]),
  ]);
  return new Map(checked.flat());
}

async function checkSites(
  internet: Internet,
  names: readonly string[],
  args: readonly string[],
): Promise<(readonly [name: string, result: CheckResult])[]> {
  const urls = names.map((name) => internet.url(name));
  const { stdout, stderr } = await lurecheck(['check', '--format', 'json', ...args, ...urls]);
  if (stdout === '') throw new Error(stderr);
  const results = parseAs(Type.Array(CheckResultSchema), JSON.parse(stdout));
  return results.map((result, i) => [names[i] ?? '', result]);
}

/** What a result does not say although the site is made to bring it about; empty where all is as it should be. */
export function missesOf({ reasons = [], unavailable = [] }: LabSite, result: CheckResult | undefined): string[] {
  if (!result) return ['a result'];
  const details = result.analysis_details;
  const codes = details.reasons.map(({ code }) => code);
  const blind = details.unavailable.map(({ component, reason }) => `${component} ${reason}`);
  return [...reasons.filter((code) => !codes.includes(code)), ...unavailable.filter((entry) => !blind.includes(entry))];
}
