import {
  openKnowledge,
  openModels,
  openShipped,
  refuseNameOfShipped,
  withConfiguredBrands,
} from '#src/admin/active/models.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import { createComparison } from '#src/admin/models/compare-models.ts';
import {
  installedVersions,
  installModel,
  openInstalledModel,
  readModelChoice,
  versionOf,
  writeModelChoice,
} from '#src/admin/models/installed-models.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { isUnreadable } from '#src/checks/record/logged-result.ts';
import type { Io } from '#src/core/base/io.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { type Command, choice, type Invocation, UsageError } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import type { ExitCode } from '../exit-codes.ts';
import { readLogRequest } from '../log/log-request.ts';
import { newestOf } from '../log/newest-of.ts';
import { addCompared, comparisonAsJson, comparisonAsText, newComparison } from '../model/comparison.ts';
import { findModel, SHIPPED } from '../model/find-model.ts';
import { reportActivation } from '../report-activation.ts';

/** Output formats of the list and of a comparison. */
const MODEL_FORMATS = ['text', 'json'] as const;

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
    format: { type: 'string', words: MODEL_FORMATS, description: 'Output format. Default: text.' },
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

function formatOf(invocation: Invocation) {
  return choice(invocation, 'format', MODEL_FORMATS) ?? 'text';
}

async function use({ config, resolvePath, actor }: ModelInvocation, wanted: string, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = config;
  const { models, files, isShipped } = await findModel(dataDir, wanted, resolvePath);
  const version = isShipped ? null : models.version;
  const { version: now, before } = readModelChoice(dataDir);
  await audited(
    dataDir,
    actor,
    { action: 'model.use', subject: version ?? SHIPPED, detail: { before: now } },
    async () => {
      if (version !== null) {
        await refuseNameOfShipped(files, version);
        await installModel(dataDir, files, version);
      }
      if (now !== version) await writeModelChoice(dataDir, { version, before: [now, ...before] });
    },
  );
  return await reportSelection(dataDir, version, io);
}

async function compare(invocation: ModelInvocation, wanted: string, io: Io): Promise<ExitCode> {
  const { config } = invocation;
  const request = readLogRequest(invocation);
  const now = await openModels(config.data_dir);
  const other = withConfiguredBrands(
    (await findModel(config.data_dir, wanted, invocation.resolvePath)).models,
    now.configuredBrands,
  );
  const score = createComparison(now, other, config);
  const comparison = newComparison([now.version, other.version]);
  await using logs = await openLog(config, 'read', diagnosticsOf(invocation, io.stderr));
  for await (const { result } of newestOf(logs.log, request)) {
    addCompared(comparison, result, isUnreadable(result) ? null : score(result));
  }
  await io.stdout.write(formatOf(invocation) === 'json' ? comparisonAsJson(comparison) : comparisonAsText(comparison));
  return 0;
}

async function rollBack({ config, actor }: ModelInvocation, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = config;
  const {
    before: [version, ...before],
  } = readModelChoice(dataDir);
  if (version === undefined) throw new UsageError('there is no selection to roll back; see lurecheck model list');
  if (version !== null) await openInstalledModel(dataDir, version, await openKnowledge());
  await audited(dataDir, actor, { action: 'model.rollback', subject: version ?? SHIPPED }, () =>
    writeModelChoice(dataDir, { version, before }),
  );
  return await reportSelection(dataDir, version, io);
}

async function reportSelection(dataDir: string, version: string | null, io: Io): Promise<ExitCode> {
  return await reportActivation(`${version ?? 'the built-in model'} is selected`, dataDir, 'model', io);
}

async function list(invocation: ModelInvocation, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = invocation.config;
  const knowledge = await openKnowledge();
  const { version: chosen } = readModelChoice(dataDir);
  const shipped = versionOf(await openShipped(knowledge));
  const installed = await installedVersions(dataDir);
  const models: ListedModel[] = [
    { version: shipped, isShipped: true, isActive: chosen === null, problem: null },
    ...(await Promise.all(
      installed.map(async (version) => ({
        version,
        isShipped: false,
        isActive: version === chosen,
        problem: await openInstalledModel(dataDir, version, knowledge).then(() => null, problemOf),
      })),
    )),
  ];
  await io.stdout.write(formatOf(invocation) === 'json' ? modelsAsJson(models) : modelsAsText(models));
  return 0;
}

function problemOf(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  throw error;
}

/** A model as it is listed. */
interface ListedModel {
  readonly version: string;
  /** True if it is part of the program; it goes when the program is upgraded. */
  readonly isShipped: boolean;
  readonly isActive: boolean;
  /** Why the model cannot be used; null if it can. */
  readonly problem: string | null;
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

/** The same for machines. */
function modelsAsJson(models: readonly ListedModel[]): string {
  const rows = models.map(({ version, isShipped, isActive, problem }) => ({
    version,
    shipped: isShipped,
    in_force: isActive,
    problem,
  }));
  return `${JSON.stringify(rows, null, 2)}\n`;
}
