import { withDraft } from '#src/admin/audit/act.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { factAgesWith } from '#src/app/fact-ages.ts';
import { openLog } from '#src/app/open-log.ts';
import type { Classifier } from '#src/app/scoring/classifier.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { Io } from '#src/core/base/io.ts';
import { shortId } from '#src/core/base/public-key.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { SERVER_TABLES } from '#src/core/knowledge/registries/server-table.ts';
import type { Invocation } from '#src/interfaces/cli/command.ts';
import { commandPlace } from '#src/interfaces/cli/command-place.ts';
import { confirm } from '#src/interfaces/cli/confirm.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { readSelection } from '#src/interfaces/cli/log/log-request.ts';
import { hasHistory, newestOf } from '#src/interfaces/cli/log/read-checks.ts';
import { reportActivation } from '#src/interfaces/cli/report-activation.ts';
import { changedText } from '#src/parts/lists/command/change.ts';
import { modelVersionIn } from '#src/parts/packs/packs/pack-contents.ts';
import { recordSeenTimes } from '#src/parts/packs/packs/pack-time.ts';
import type { ReadyPack } from '#src/parts/packs/updates/install-pack.ts';
import { INSTALL_PACK } from '#src/parts/packs/updates/pack-acts.ts';
import { type PackPreview, previewPack } from '#src/parts/packs/updates/preview-pack.ts';
import { comparisonAsText } from '#src/parts/tuning/command/model.ts';
import { rescoreAll } from '#src/parts/tuning/rescore/rescore.ts';
import { createPairScorer } from '#src/parts/tuning/rescore/rescore-check.ts';

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
  for await (const { result } of newestOf(log, { id: null, visibility: 'public', filter: EVERY_CHECK, limit: 1 }))
    return result.timestamp;
  return null;
}

/** Describes the changes of an installation, one per line. */
function previewText({ pack, now, next }: PackPreview): string {
  const { installed, manifest, publisher, contents } = pack;
  const before = now.packs.state.active.find(({ name }) => name === installed.name);
  const lines = [
    `${installed.name} ${installed.version} of ${publisher.name} (key ${shortId(publisher.fingerprint)}), created ${manifest.created.slice(0, 10)}, expires ${manifest.expires.slice(0, 10)}`,
    before ? `replaces version ${before.version}` : 'the first of its name',
    ...modelLines(contents, now, next),
    ...thresholdLines(now, next),
    ...brandLines(now, next),
    ...factLines(contents, now, next),
  ];
  if (contents.nextKey) lines.push(`next signing key of its publisher: ${contents.nextKey.fingerprint}`);
  if (contents.unknownMembers.length > 0)
    lines.push(`passed by, as this version knows no such kind: ${contents.unknownMembers.join(', ')}`);
  const lists = (pack.lists?.changed ?? []).map(changedText);
  return [...lines.map((line) => `${visibleInTerminal(line)}\n`), ...lists].join('');
}

function modelLines(contents: ReadyPack['contents'], now: Classifier, next: Classifier): string[] {
  const [before, after] = [now, next].map(({ models }) => models.version.split('+', 1)[0] ?? '');
  const brought = modelVersionIn(contents);
  if (brought !== null && brought !== after) {
    return [
      `model ${brought}, not activated: ${after} is selected on this host; lurecheck model use shipped lets the pack select`,
    ];
  }
  if (before === after) return brought === null ? [] : [`model ${after}, unchanged`];
  return [`the model ${after} replaces ${before}`];
}

function thresholdLines(now: Classifier, next: Classifier): string[] {
  const [before, after] = [now, next].map(
    ({ models: { fusion } }) => `${fusion.thresholds.warn} and ${fusion.thresholds.block}`,
  );
  return before === after
    ? []
    : [`warnings and blocks from ${after}, before from ${before}, unless settings override them`];
}

function brandLines(now: Classifier, next: Classifier): string[] {
  const written = ({ models }: Classifier) =>
    new Map(models.configuredBrands.map((brand) => [`${brand.name} (${brand.domains.join(', ')})`, brand]));
  const [before, after] = [written(now), written(next)];
  const added = [...after.keys()].filter((name) => !before.has(name));
  const gone = [...before.keys()].filter((name) => !after.has(name));
  return [...added.map((name) => `+ brand ${name}`), ...gone.map((name) => `- brand ${name}`)];
}

/** The tables of facts in use before and after, and those of the pack that are not used. */
function factLines({ tables }: ReadyPack['contents'], now: Classifier, next: Classifier): string[] {
  const daysIn = ({ packs }: Classifier) =>
    new Map(factAgesWith(packs.tables).map(({ table, retrieved }) => [table, retrieved]));
  const [before, after] = [daysIn(now), daysIn(next)];
  return SERVER_TABLES.flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    const brought = tables.find((one) => one.name === name)?.retrieved;
    if (was !== is) return [`registry servers of ${was} → ${is} (${name})`];
    if (brought === undefined) return [];
    const use = brought === is ? 'unchanged' : `not used: those in use are of ${is}`;
    return [`registry servers of ${brought} (${name}), ${use}`];
  });
}
