import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { createComparison } from '#src/admin/models/compare-models.ts';
import type { ConfigFor } from '#src/app/config.ts';
import {
  keepModel,
  keptVersions,
  openKeptModel,
  readModelChoice,
  versionOf,
  writeModelChoice,
} from '#src/admin/models/installed-models.ts';
import { openKnowledge, openModels, openShipped, refuseNameOfShipped, withOwnBrands } from '#src/admin/active/models.ts';
import { openLog } from '#src/app/open-log.ts';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { isUnread } from '#src/checks/record/logged-result.ts';
import { audited } from '#src/admin/audit/audit-log.ts';
import { type Command, choice, type Invocation, UsageError } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '#src/core/base/io.ts';
import { readLogRequest } from '../log/log-request.ts';
import { newestOf } from '../log/newest-of.ts';
import { comparisonAsJson, comparisonAsText, newComparison, takeUp } from '../model/comparison.ts';
import { findModel, SHIPPED } from '../model/find-model.ts';
import { type ListedModel, modelsAsJson, modelsAsText } from '../model/list-text.ts';
import { tellActive } from '../report-activation.ts';

/** How the list, and a comparison, are written. */
const MODEL_FORMATS = ['text', 'json'] as const;

/** `lurecheck model` */
export const modelCommand: Command<'model'> = {
  name: 'model',
  operands: 'list | use MODEL | rollback | compare MODEL',
  summary: 'chooses which model judges, and tells what another one would change',
  options: {
    private: { type: 'boolean', description: 'Compare by the private log, in place of the public one.' },
    domain: { type: 'string', value: 'DOMAIN', description: 'Compare by checks of hosts that end in this domain.' },
    from: { type: 'string', value: 'TIME', description: 'By checks from this time on: 2026-01-31.' },
    until: { type: 'string', value: 'TIME', description: 'By checks before this time.' },
    decision: { type: 'string', words: DECISIONS, description: 'By checks that came out so.' },
    limit: { type: 'string', value: 'N', description: 'By the newest N alone. A whole number from 1.' },
    format: { type: 'string', words: MODEL_FORMATS, description: 'How to write it. Default: text.' },
  },
  examples: [
    { line: 'lurecheck model list', purpose: 'Which models there are, and which one judges.' },
    { line: 'lurecheck model compare DIR --limit 10000', purpose: 'What the model in a folder would have changed.' },
    { line: 'lurecheck model use DIR', purpose: 'Keep that model, and judge by it from now on.' },
    { line: 'lurecheck model rollback', purpose: 'Judge by the one before again.' },
  ],
  changes: ['use', 'rollback'],
  named: ({ positionals: [, wanted] }) => ({ reads: [wanted] }),
  async run(invocation, io) {
    const [action, wanted, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`model ${action} takes one model, and "${extra}" is another`);
    if (action === 'list' || action === 'rollback') {
      if (wanted !== undefined) throw new UsageError(`model ${action} takes no model, and "${wanted}" is one`);
      return action === 'list' ? await list(invocation, io) : await rollBack(invocation, io);
    }
    if (action !== 'use' && action !== 'compare') {
      throw new UsageError(
        `write model list, model use, model rollback or model compare${action ? `, not "${action}"` : ''}`,
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

async function use({ config, place, actor }: ModelInvocation, wanted: string, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = config;
  const { models, files, isShipped } = await findModel(dataDir, wanted, place);
  const version = isShipped ? null : models.version;
  const { version: now, before } = readModelChoice(dataDir);
  await audited(
    dataDir,
    actor,
    { action: 'model.use', subject: version ?? SHIPPED, detail: { before: now } },
    async () => {
      if (version !== null) {
        await refuseNameOfShipped(files, version);
        await keepModel(dataDir, files, version);
      }
      if (now !== version) await writeModelChoice(dataDir, { version, before: [now, ...before] });
    },
  );
  return await tellChoice(dataDir, version, io);
}

async function compare(invocation: ModelInvocation, wanted: string, io: Io): Promise<ExitCode> {
  const { config } = invocation;
  const request = readLogRequest(invocation);
  const now = await openModels(config.data_dir);
  const other = withOwnBrands((await findModel(config.data_dir, wanted, invocation.place)).models, now.ownBrands);
  const judge = createComparison(now, other, config);
  const comparison = newComparison([now.version, other.version]);
  await using logs = await openLog(config, 'read', diagnosticsOf(invocation, io.stderr));
  for await (const { result } of newestOf(logs.log, request)) {
    takeUp(comparison, result, isUnread(result) ? null : judge(result));
  }
  await io.stdout.write(formatOf(invocation) === 'json' ? comparisonAsJson(comparison) : comparisonAsText(comparison));
  return 0;
}

async function rollBack({ config, actor }: ModelInvocation, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = config;
  const {
    before: [version, ...before],
  } = readModelChoice(dataDir);
  if (version === undefined) throw new UsageError('there is no choice to take back; see lurecheck model list');
  if (version !== null) await openKeptModel(dataDir, version, await openKnowledge());
  await audited(dataDir, actor, { action: 'model.rollback', subject: version ?? SHIPPED }, () =>
    writeModelChoice(dataDir, { version, before }),
  );
  return await tellChoice(dataDir, version, io);
}

async function tellChoice(dataDir: string, version: string | null, io: Io): Promise<ExitCode> {
  return await tellActive(`${version ?? 'the built-in model'} is selected`, dataDir, 'model', io);
}

async function list(invocation: ModelInvocation, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = invocation.config;
  const knowledge = await openKnowledge();
  const { version: chosen } = readModelChoice(dataDir);
  const shipped = versionOf(await openShipped(knowledge));
  const kept = await keptVersions(dataDir);
  const models: ListedModel[] = [
    { version: shipped, isShipped: true, isInForce: chosen === null, problem: null },
    ...(await Promise.all(
      kept.map(async (version) => ({
        version,
        isShipped: false,
        isInForce: version === chosen,
        problem: await openKeptModel(dataDir, version, knowledge).then(() => null, problemOf),
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
