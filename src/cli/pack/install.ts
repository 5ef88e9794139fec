import { systemClock } from '#src/base/clock.ts';
import { createComparison } from '#src/program/compare-models.ts';
import type { ConfigFor } from '#src/program/config.ts';
import { openJudging, openKnowledge } from '#src/program/models.ts';
import { openLog } from '#src/program/open-log.ts';
import { prepareInstall } from '#src/program/packs/install-pack.ts';
import { withPackInForce } from '#src/program/packs/packs-in-force.ts';
import { isUnread } from '#src/record/kept-result.ts';
import type { Invocation } from '../command.ts';
import { confirm } from '../confirm.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { hasHistory } from '../log/has-history.ts';
import { readSelection } from '../log/log-request.ts';
import { newestOf } from '../log/newest-of.ts';
import { comparisonAsText, newComparison, takeUp } from '../model/comparison.ts';
import { type PackPreview, previewText } from './preview-text.ts';

type PackInvocation = Invocation<ConfigFor<'pack'>>;

/** So many of the newest checks are judged anew where nobody says how many. */
const USUAL_LIMIT = 10_000;

/** `lurecheck pack install FILE`: shows what it would change, asks, and puts it in force in one step. */
export async function installPack(invocation: PackInvocation, path: string, io: Io): Promise<ExitCode> {
  const { data_dir: dataDir } = invocation.config;
  const order = {
    dataDir,
    clock: systemClock,
    knowledge: await openKnowledge(),
    isOlderMeant: invocation.flag('older'),
  };
  await using pack = await prepareInstall(path, order);
  const { name, version } = pack.kept;
  if (pack.isInForce) {
    await io.stderr.write(`lurecheck: ${name} ${version} is in force already\n`);
    return 0;
  }
  const preview = {
    pack,
    now: await openJudging(dataDir),
    next: await openJudging(dataDir, (packs) => withPackInForce(packs, pack)),
  };
  await io.stdout.write(previewText(preview));
  await compareOnHistory(invocation, preview, io);
  if (!invocation.flag('yes') && !(await confirm(`Put ${name} ${version} in force?`, io))) {
    await io.stderr.write('lurecheck: nothing was changed\n');
    return 1;
  }
  await pack.install();
  await io.stderr.write(
    `lurecheck: ${name} ${version} is in force; a service that runs takes it up within two seconds\n`,
  );
  return 0;
}

/** What the models and thresholds would have said of the newest checks, where they are others. */
async function compareOnHistory(invocation: PackInvocation, { now, next }: PackPreview, io: Io): Promise<void> {
  const [before, after] = [now.models, next.models];
  if (before.version === after.version && Bun.deepEquals(before.fusion, after.fusion)) return;
  // Also where there is no history: settings beside which the thresholds cannot stand are told now.
  const judge = createComparison(before, after, invocation.config);
  if (!hasHistory(invocation.config)) return;
  const comparison = newComparison([before.version, after.version]);
  await using logs = await openLog(invocation.config, 'read', diagnosticsOf(invocation, io.stderr));
  const selection = readSelection(invocation);
  for await (const { result } of newestOf(logs.log, { ...selection, limit: selection.limit ?? USUAL_LIMIT })) {
    takeUp(comparison, result, isUnread(result) ? null : judge(result));
  }
  await io.stdout.write(comparisonAsText(comparison));
}
