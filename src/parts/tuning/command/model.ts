import { perform } from '#src/admin/audit/act.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import { openModels } from '#src/app/scoring/classifier.ts';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { Io } from '#src/core/base/io.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { type Command, type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import { commandPlace } from '#src/interfaces/cli/command-place.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { readLogRequest } from '#src/interfaces/cli/log/log-request.ts';
import { newestOf } from '#src/interfaces/cli/log/read-checks.ts';
import { pathKind } from '#src/interfaces/cli/named-paths.ts';
import { reportActivation } from '#src/interfaces/cli/report-activation.ts';
import { indentedJson, REPORT_FORMAT, wantsJson } from '#src/interfaces/cli/report-format.ts';
import { type Comparison, compareModel, comparisonRow } from '#src/parts/tuning/model-changes/compare-model.ts';
import { ROLL_BACK_MODEL, USE_MODEL } from '#src/parts/tuning/model-changes/model-acts.ts';
import {
  findModel,
  type ListedModel,
  listModels,
  ModelNotFoundError,
  modelRow,
  SHIPPED,
} from '#src/parts/tuning/model-changes/models.ts';
import { allChanged, changesMade } from '#src/parts/tuning/rescore/rescore.ts';

/** `lurecheck model` */
export const modelCommand: Command<'model'> = {
  name: 'model',
  operands: 'list | use MODEL | rollback | compare MODEL',
  summary: 'manage models: select, roll back, compare',
  options: {
    private: { type: 'boolean', description: 'Compare on the private log instead of the public one.' },
    domain: { type: 'string', value: 'DOMAIN', description: 'Compare on checks of hosts in this domain.' },
    from: { type: 'string', value: 'TIME', description: 'Compare on checks from this time on: 2026-01-31.' },
    until: { type: 'string', value: 'TIME', description: 'Compare on checks before this time.' },
    decision: { type: 'string', words: DECISIONS, description: 'Compare on checks with this decision.' },
    limit: { type: 'string', value: 'N', description: 'Compare on the latest N checks only. A whole number from 1.' },
    format: REPORT_FORMAT,
  },
  examples: [
    { line: 'lurecheck model list', purpose: 'List models, and which one is active.' },
    {
      line: 'lurecheck model compare DIR --limit 10000',
      purpose: 'Show what the model in a folder would have changed.',
    },
    { line: 'lurecheck model use DIR', purpose: 'Install a model and select it.' },
    { line: 'lurecheck model rollback', purpose: 'Roll back to the previous model.' },
  ],
  changes: ['use', 'rollback'],
  shares: ['model'],
  named: ({ positionals: [, wanted] }) => ({ reads: [wanted] }),
  async run(invocation, io) {
    const [action, wanted, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`model ${action} takes one model: unexpected "${extra}"`);
    if (action === 'list' || action === 'rollback') {
      if (wanted !== undefined) throw new UsageError(`model ${action} takes no model: unexpected "${wanted}"`);
      return action === 'list' ? await list(invocation, io) : await rollBack(invocation, io);
    }
    if (action !== 'use' && action !== 'compare') {
      throw new UsageError(
        `expected model list, model use, model rollback or model compare${action ? `, not "${action}"` : ''}`,
      );
    }
    if (wanted === undefined) throw new UsageError(`model ${action} takes a version, a folder, or ${SHIPPED}`);
    if (action === 'use') return await use(invocation, wanted, io);
    return await compare(invocation, wanted, io);
  },
};

type ModelInvocation = Invocation<ConfigFor<'model'>>;

async function use(invocation: ModelInvocation, wanted: string, io: Io): Promise<ExitCode> {
  const model = { model: wanted, folder: await folderOf(invocation, wanted) };
  const version = await asUsage(perform(USE_MODEL, commandPlace(invocation), invocation.actor, model));
  return await reportSelection(invocation, version, io);
}

/** Returns the path of a folder that the operand names; null if it names none. */
async function folderOf({ resolvePath }: ModelInvocation, wanted: string): Promise<string | null> {
  const folder = resolvePath(wanted);
  return (await pathKind(folder)) === 'folder' ? folder : null;
}

async function asUsage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ModelNotFoundError ? new UsageError(error.message, { cause: error }) : error;
  }
}

async function compare(invocation: ModelInvocation, wanted: string, io: Io): Promise<ExitCode> {
  const { config } = invocation;
  const request = readLogRequest(invocation);
  const now = await openModels(config.data_dir);
  const { models } = await asUsage(findModel(config.data_dir, wanted, await folderOf(invocation, wanted)));
  await using logs = await openLog(config, 'read', diagnosticsOf(invocation, io.stderr));
  const comparison = await compareModel(now, models, config, newestOf(logs.log, request));
  await io.stdout.write(wantsJson(invocation) ? indentedJson(comparisonRow(comparison)) : comparisonAsText(comparison));
  return 0;
}

async function rollBack(invocation: ModelInvocation, io: Io): Promise<ExitCode> {
  const version = await asUsage(perform(ROLL_BACK_MODEL, commandPlace(invocation), invocation.actor, null));
  return await reportSelection(invocation, version, io);
}

async function reportSelection({ config }: ModelInvocation, version: string | null, io: Io): Promise<ExitCode> {
  return await reportActivation(`${version ?? 'the built-in model'} is selected`, config.data_dir, 'model', io);
}

async function list(invocation: ModelInvocation, io: Io): Promise<ExitCode> {
  const models = await listModels(invocation.config.data_dir);
  await io.stdout.write(wantsJson(invocation) ? indentedJson(models.map(modelRow)) : modelsAsText(models));
  return 0;
}

/** A line for each model. */
function modelsAsText(models: readonly ListedModel[]): string {
  return models
    .map(({ version, isShipped, isActive, problem }) => {
      const words = [isShipped ? 'shipped' : 'stored', ...(isActive ? ['active'] : []), ...(problem ? [problem] : [])];
      return `${version}\t${words.join(', ')}\n`;
    })
    .join('');
}

/** A line for each check that comes out otherwise, and what they add up to. */
export function comparisonAsText({ versions, judged, unread, changed, ...made }: Comparison): string {
  const lines = changed.map(({ check, was, now }) => {
    const percent = [was, now].map(({ probability }) => `${(probability * 100).toFixed(1)} %`.padStart(7)).join(' → ');
    return `${was.decision.padEnd(5)} → ${now.decision.padEnd(5)} ${percent}  ${visibleInTerminal(check.url)}\n`;
  });
  const total = allChanged(made);
  const more = total > changed.length ? `and ${total - changed.length} more\n` : '';
  const kinds = changesMade(made).map(({ was, now, checks }) => `${was} → ${now}: ${checks}\n`);
  const end = `${counted(judged, 'check')} compared, ${versions.join(' against ')}: ${total} with another decision\n`;
  const left = unread > 0 ? `${unread} skipped: unreadable records\n` : '';
  return [...lines, more, ...kinds.toSorted(), end, left].join('');
}
