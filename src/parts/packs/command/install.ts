import { withDraft } from '#src/admin/audit/act.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { Io } from '#src/core/base/io.ts';
import type { Invocation } from '#src/interfaces/cli/command.ts';
import { commandPlace } from '#src/interfaces/cli/command-place.ts';
import { confirm } from '#src/interfaces/cli/confirm.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { readSelection } from '#src/interfaces/cli/log/log-request.ts';
import { hasHistory, newestOf } from '#src/interfaces/cli/log/read-checks.ts';
import { reportActivation } from '#src/interfaces/cli/report-activation.ts';
import { recordSeenTimes } from '#src/parts/packs/packs/pack-time.ts';
import { INSTALL_PACK } from '#src/parts/packs/updates/pack-acts.ts';
import { type PackPreview, previewPack } from '#src/parts/packs/updates/preview-pack.ts';
import { comparisonAsText } from '#src/parts/tuning/command/comparison.ts';
import { rescoreAll } from '#src/parts/tuning/rescore/rescore.ts';
import { createPairScorer } from '#src/parts/tuning/rescore/rescore-check.ts';
import { previewText } from './preview-text.ts';

type PackInvocation = Invocation<ConfigFor<'pack'>>;

/** Default number of latest checks to re-score. */
const DEFAULT_LIMIT = 10_000;

/** `lurecheck pack install FILE`: previews the changes, asks for confirmation, and activates the pack in one step. */
export async function installPack(invocation: PackInvocation, path: string, io: Io): Promise<ExitCode> {
  const { config } = invocation;
  const { data_dir: dataDir } = config;
  await using logs = hasHistory(config, 'public')
    ? await openLog(config, 'read', diagnosticsOf(invocation, io.stderr))
    : null;
  if (logs) recordSeenTimes(dataDir, [await newestIn(logs.log)]);
  const place = { ...commandPlace(invocation), settings: () => config };
  const file = { file: invocation.resolvePath(path), mayBeOlder: invocation.flag('older') };
  return await withDraft(INSTALL_PACK, place, file, async (pack, commit) => {
    const { name, version } = pack.installed;
    if (pack.isActive) return await reportActivation(`${name} ${version} is installed already`, dataDir, 'packs', io);
    const preview = await previewPack(config, pack);
    await io.stdout.write(previewText(preview));
    if (logs) await compareOnHistory(invocation, preview, logs.log, io);
    if (!invocation.flag('yes') && !(await confirm(`Activate ${name} ${version}?`, io))) {
      await io.stderr.write('lurecheck: cancelled, nothing was changed\n');
      return 1;
    }
    await commit(invocation.actor);
    return await reportActivation(`${name} ${version} is installed`, dataDir, 'packs', io);
  });
}

/** Compares the verdicts of both on the latest checks. */
async function compareOnHistory(
  invocation: PackInvocation,
  { now, next }: PackPreview,
  log: ScanLog,
  io: Io,
): Promise<void> {
  const selection = readSelection(invocation);
  const newest = newestOf(log, { ...selection, limit: selection.limit ?? DEFAULT_LIMIT });
  const rescored = await rescoreAll(newest, createPairScorer(now, next));
  await io.stdout.write(comparisonAsText({ ...rescored, versions: [now.models.version, next.models.version] }));
}

/** Returns when the latest check was logged, ISO 8601 UTC; null if the log is empty. */
async function newestIn(log: ScanLog): Promise<string | null> {
  const filter = { decision: null, domain: null, fromMs: null, untilMs: null };
  for await (const { result } of newestOf(log, { id: null, visibility: 'public', filter, limit: 1 }))
    return result.timestamp;
  return null;
}
