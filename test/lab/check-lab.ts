import { Type } from '@sinclair/typebox';
import { type CheckResult, CheckResultSchema } from '#src/record/check-result.ts';
import { lurecheck } from '#test/support/executable.ts';
import type { Internet } from '#test/support/internet.ts';
import { parseAs } from '#test/support/parse-as.ts';
import type { LabSite } from './sites.ts';

const DEADLINE_SECONDS = 3;
/** What may pass between the deadline and the answer (promise 4 of `.github/SECURITY.md`), and a start of the process. */
const GRACE_SECONDS = 0.25;

/** Lets the executable check every site of a running laboratory; the results by name. */
export async function checkLab(
  internet: Internet,
  names: readonly string[],
  args: readonly string[],
): Promise<Map<string, CheckResult>> {
  const urls = names.map((name) => internet.url(name));
  const deadline = ['--deadline-seconds', String(DEADLINE_SECONDS)];
  const { stdout, stderr } = await lurecheck(['check', '--format', 'json', ...deadline, ...args, ...urls]);
  if (stdout === '') throw new Error(stderr);
  const results = parseAs(Type.Array(CheckResultSchema), JSON.parse(stdout));
  return new Map(results.map((result, i) => [names[i] ?? '', result]));
}

/** What a result does not say although the site is made to bring it about; empty where all is as it should be. */
export function missesOf({ reasons = [], unavailable = [] }: LabSite, result: CheckResult | undefined): string[] {
  if (!result) return ['a result'];
  const details = result.analysis_details;
  const codes = details.reasons.map(({ code }) => code);
  const blind = details.unavailable.map(({ component, reason }) => `${component} ${reason}`);
  return [
    ...reasons.filter((code) => !codes.includes(code)),
    ...unavailable.filter((entry) => !blind.includes(entry)),
    ...(details.analysis_time > DEADLINE_SECONDS + GRACE_SECONDS ? [`an end by its deadline`] : []),
  ];
}
