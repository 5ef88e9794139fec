import { hostname } from 'node:os';
import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import { openManyPublishers } from '#src/app/scoring/list-guard.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { plainLine } from '#src/core/base/text/untrusted-text.ts';
import { choice, type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { type LogSelection, timeOf } from '#src/interfaces/cli/log/log-request.ts';
import { countRead, newestOf, reportUnread } from '#src/interfaces/cli/log/read-checks.ts';
import { BLOCK_FORMATS, type BlockFormat, blockListWriter } from '#src/parts/export/blocked/block-format.ts';
import { OMISSIONS, type Omission } from '#src/parts/export/blocked/block-list.ts';
import { type BlockedByChecks, blockedByChecks, blockedNow } from '#src/parts/export/blocked/blocked-now.ts';
import { type ExportSink, fileSink, outputSink } from '#src/parts/export/command/export-sink.ts';
import { databaseExportRefused, recordExport } from '#src/parts/export/command/record-export.ts';
import { ZONE_NAME } from '#src/parts/feeds/zone/protocol/settings.ts';
import { readClockFloor } from '#src/parts/packs/packs/pack-time.ts';

type ListsInvocation = Invocation<ConfigFor<'lists'>>;

/** Word for the whole log instead of a time. */
const WHOLE_HISTORY = 'history';

/** `lurecheck lists export`: writes what is blocked, for the resolver, the proxy and the browsers of this host. */
export async function exportLists(invocation: ListsInvocation, io: Io): Promise<ExitCode> {
  const { format, selection, zone, out } = readRequest(invocation);
  const { config } = invocation;
  const isPrivate = selection?.visibility === 'private';
  // Before any database connection.
  if (isPrivate && config.log_database.length > 0) throw databaseExportRefused();
  await using logs = selection && (await openLog(config, 'read', diagnosticsOf(invocation, io.stderr)));
  await using sink = out === null ? outputSink(io.stdout) : await fileSink(invocation.resolvePath(out), isPrivate);
  // Private checks are exported only after the export is recorded.
  const noted =
    logs && isPrivate ? recordExport(logs, { format, selection: JSON.stringify(selection) }, invocation) : null;
  const read = countRead(logs && selection ? newestOf(logs.log, selection) : nothing());
  const checks = blockedByChecks(read.entries, selection ? await openManyPublishers(config.data_dir) : () => false);
  const nowMs = systemClock.now();
  const { list, weighedLists } = await blockedNow(config, checks.entries, nowMs);
  const omitted = new Map<Omission, number>();
  const omit = (reason: Omission) => omitted.set(reason, (omitted.get(reason) ?? 0) + 1);
  const write = await blockListWriter(format);
  // The serial of a zone does not fall with a clock that went back.
  const writtenMs = Math.max(nowMs, readClockFloor(config.data_dir) ?? 0);
  const subject = { source: plainLine(config.node_name ?? hostname()), nowMs: writtenMs, isPrivate, zone };
  await writeAll(sink, write({ ...list, ...subject, omit }));
  noted?.finish(read.count());
  if (!invocation.isQuiet) await reportOmissions(io, { omitted, weighedLists, checks });
  return await reportUnread(read.unread(), io);
}

interface ExportRequest {
  readonly format: BlockFormat;
  /** Checks to include; null if none. */
  readonly selection: LogSelection | null;
  readonly zone: string;
  readonly out: string | null;
}

function readRequest(invocation: ListsInvocation): ExportRequest {
  const format = choice(invocation, 'format', BLOCK_FORMATS);
  if (format === undefined) throw new UsageError(`--format is required: ${BLOCK_FORMATS.join(', ')}`);
  const zone = (invocation.text('zone') ?? ZONE_NAME).replace(/\.$/, '');
  if (!/^[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/i.test(zone))
    throw new UsageError(`--zone takes a name, not "${zone}"`);
  return { format, selection: readChecks(invocation), zone, out: invocation.text('out') ?? null };
}

function readChecks(invocation: ListsInvocation): LogSelection | null {
  const from = invocation.text('from');
  const visibility = invocation.flag('private') ? 'private' : 'public';
  const untilMs = timeOf(invocation, 'until');
  if (from === undefined) {
    if (visibility === 'public' && untilMs === null) return null;
    throw new UsageError(`--from is required: --from 2026-01-31, or --from ${WHOLE_HISTORY} for all`);
  }
  const fromMs = from === WHOLE_HISTORY ? null : timeOf(invocation, 'from');
  return { visibility, id: null, filter: { decision: 'block', domain: null, fromMs, untilMs }, limit: null };
}

async function* nothing(): AsyncGenerator<never> {}

async function writeAll(sink: ExportSink, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) await sink.write(piece);
  await sink.finish();
}

interface LeftOut {
  readonly omitted: ReadonlyMap<Omission, number>;
  readonly weighedLists: number;
  readonly checks: BlockedByChecks;
}

async function reportOmissions({ stderr }: Io, { omitted, weighedLists, checks }: LeftOut): Promise<void> {
  const tell = async (count: number, one: string, several: string, why: string) => {
    if (count > 0) await stderr.write(`lurecheck: omitted ${counted(count, one, several)} ${why}\n`);
  };
  for (const [reason, count] of omitted) await tell(count, 'entry', 'entries', OMISSIONS[reason]);
  await tell(
    checks.skippedUrls(),
    'URL',
    'URLs',
    'that would block more than the checked page: masked in the log, or a front page of a shared host',
  );
  await tell(weighedLists, 'list', 'lists', 'with a weight, which does not block by itself');
}
