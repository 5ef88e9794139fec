import { writeFile } from 'node:fs/promises';
import { arch, availableParallelism, platform, release, totalmem } from 'node:os';
import type { Config } from '#src/app/config.ts';
import { examine } from '#src/app/doctor/examine.ts';
import type { Finding } from '#src/app/doctor/finding.ts';
import { systemProblem } from '#src/checks/store/file/fault.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { VERSION } from '#src/core/base/version.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';

/** `lurecheck doctor` */
export const doctorCommand: Command<'doctor'> = {
  name: 'doctor',
  operands: '',
  summary: 'examine what a service with these settings needs, and name remedies',
  options: {
    bundle: {
      type: 'string',
      value: 'FILE',
      description: 'Write a report that may be shared to a new file: no URL, no address, no path, no secret.',
    },
  },
  examples: [
    { line: 'lurecheck doctor --config /etc/lurecheck/lurecheck.toml', purpose: "Examine a service's configuration." },
    { line: 'lurecheck doctor --bundle report.json', purpose: 'Write a report for a bug report.' },
  ],
  named: ({ text }) => ({ writes: [text('bundle')], isNew: true }),
  async run(invocation, io) {
    const findings = await examine(invocation.config);
    await io.stdout.write(findings.map(describe).join(''));
    const path = invocation.text('bundle');
    if (path !== undefined) await writeBundle(invocation.resolvePath(path), bundleOf(findings, givenIn(invocation)));
    return findings.some(({ state }) => state === 'fault') ? 1 : 0;
  },
};

function describe({ name, state, text, advice }: Finding): string {
  const line = `${state.padEnd(6)}  ${name}: ${visibleInTerminal(text)}\n`;
  return advice === null ? line : `${line}        ${advice}\n`;
}

/** Returns the keys of the settings that are not defaults, without their values. */
function givenIn({ settings }: Invocation<Config>): string[] {
  return Object.entries(settings.origins).flatMap(([key, { source }]) => (source === 'default' ? [] : key));
}

/** Contains names, states and numbers only: the texts of findings may contain confidential names. */
function bundleOf(findings: readonly Finding[], settingsGiven: readonly string[]): object {
  return {
    version: VERSION,
    made_at: new Date(systemClock.now()).toISOString(),
    machine: {
      platform: platform(),
      release: release(),
      arch: arch(),
      cores: availableParallelism(),
      memory_bytes: totalmem(),
      bun: Bun.version,
    },
    settings_given: settingsGiven,
    findings: findings.map(({ name, state }) => ({ name, state })),
  };
}

async function writeBundle(path: string, bundle: object): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(bundle, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    if (systemProblem(cause) !== null) throw cause;
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new UsageError(`--bundle: ${path} ${isThere ? 'already exists' : 'cannot be written'}`, { cause });
  }
}
