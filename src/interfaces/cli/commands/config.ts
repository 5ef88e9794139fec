import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import { ALL_PARTS } from '#src/app/parts.ts';
import { plainValue, type ShownSetting, settingsShown } from '#src/app/settings-shown.ts';
import { readStartFiles } from '#src/app/start-files.ts';
import { readNamedKey } from '#src/checks/store/file/secret-key.ts';
import { type SettingOrigin, withAllProblems } from '#src/core/base/settings/setting-source.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Command, choice, UsageError } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import { indentedJson, REPORT_FORMATS } from '../report-format.ts';

/** `lurecheck config` */
export const configCommand: Command<'config'> = {
  name: 'config',
  operands: 'check | show',
  summary: 'validate the configuration, or print it with its sources',
  options: {
    format: { type: 'string', words: REPORT_FORMATS, description: 'Output format of show. Default: text.' },
  },
  examples: [
    {
      line: 'lurecheck config show --config /etc/lurecheck.toml',
      purpose: 'Show the active settings and their sources.',
    },
    {
      line: 'lurecheck config check --config /etc/lurecheck.toml',
      purpose: 'Validate the settings and the files that they name.',
    },
  ],
  named: () => null,
  async run(invocation, io) {
    const [action, ...rest] = invocation.positionals;
    const format = choice(invocation, 'format', REPORT_FORMATS);
    if (rest.length > 0 || (action !== 'check' && action !== 'show')) {
      throw new UsageError('expected config check or config show');
    }
    if (action === 'check') {
      if (format !== undefined) throw new UsageError('--format requires config show');
      // Everything that a start validates before it opens the network or the logs.
      const [engine] = await withAllProblems([
        openEngine(invocation.config, { store: STORE_NONE, logger: diagnosticsOf(invocation, io.stderr) }),
        readStartFiles(invocation.config),
        // A service starts without this key: its backups fail, which raises an alert.
        readNamedKey('backup_key_file', invocation.config.backup_key_file),
      ]);
      await engine[Symbol.asyncDispose]();
      for (const part of ALL_PARTS) {
        const warnings = await part.warnings(invocation.config, diagnosticsOf(invocation, io.stderr));
        for (const warning of warnings) await io.stderr.write(`lurecheck: warning: ${warning}\n`);
      }
      await io.stdout.write('the configuration is valid\n');
      return 0;
    }
    const rows = settingsShown(invocation.settings);
    await io.stdout.write(format === 'json' ? indentedJson(membersOf(rows)) : asText(rows));
    return 0;
  },
};

function asText(rows: readonly ShownSetting[]): string {
  const lines = rows.map(({ key, kind, value, origin }) => [key, kind.write(value) || '–', placeText(origin)] as const);
  const widths = ([0, 1] as const).map((column) => Math.min(48, Math.max(...lines.map((line) => line[column].length))));
  return lines
    .map(([key, value, place]) => `${key.padEnd(widths[0] ?? 0)}  ${value.padEnd(widths[1] ?? 0)}  ${place}`)
    .map((line) => `${visibleInTerminal(line)}\n`)
    .join('');
}

function placeText(origin: SettingOrigin): string {
  if (origin.source === 'default') return 'default';
  return origin.source === 'file' ? `${origin.path}:${origin.line}` : origin.name;
}

function membersOf(rows: readonly ShownSetting[]): object {
  return Object.fromEntries(
    rows.map(({ key, kind, value, origin }) => [key, { value: plainValue(kind, value), ...origin }]),
  );
}
