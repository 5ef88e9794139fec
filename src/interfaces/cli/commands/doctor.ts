import { writeFile } from 'node:fs/promises';
import { arch, availableParallelism, platform, release, totalmem } from 'node:os';
import { systemClock } from '#src/core/base/clock.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Config } from '#src/app/config.ts';
import { examine } from '#src/app/doctor/examine.ts';
import type { Finding } from '#src/app/doctor/finding.ts';
import { type Command, type Invocation, UsageError } from '../command.ts';

/** `lurecheck doctor` */
export const doctorCommand: Command<'doctor'> = {
  name: 'doctor',
  operands: '',
  summary: 'looks at what a service with these settings needs, and says what to do where something is wrong',
  options: {
    bundle: {
      type: 'string',
      value: 'FILE',
      description: 'Write what may be shown to others to a new file: no URL, no address, no path, no secret.',
    },
  },
  examples: [
    { line: 'lurecheck doctor --config /etc/lurecheck/lurecheck.toml', purpose: 'Is all as it should be?' },
    { line: 'lurecheck doctor --bundle report.json', purpose: 'Write down for a report of a fault what may be shown.' },
  ],
  named: ({ text }) => ({ writes: [text('bundle')], isNew: true }),
  async run(invocation, io) {
    const findings = await examine(invocation.config);
    await io.stdout.write(findings.map(describe).join(''));
    const path = invocation.text('bundle');
    if (path !== undefined) await writeBundle(invocation.place(path), bundleOf(findings, givenIn(invocation)));
    return findings.some(({ state }) => state === 'fault') ? 1 : 0;
  },
};

function describe({ name, state, said, advice }: Finding): string {
  const line = `${state.padEnd(6)}  ${name}: ${visibleInTerminal(said)}\n`;
  return advice === null ? line : `${line}        ${advice}\n`;
}

/** The keys of the settings that somebody gave, without what they are. */
function givenIn({ settings }: Invocation<Config>): string[] {
  return Object.entries(settings.origins).flatMap(([key, { source }]) => (source === 'default' ? [] : key));
}

/** Names, states and numbers alone: what is said of them may name what is nobody else's business. */
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
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new UsageError(`--bundle: ${path} ${isThere ? 'exists already' : 'cannot be written'}`, { cause });
  }
}
