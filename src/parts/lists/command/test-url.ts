import { openModels } from '#src/app/scoring/classifier.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { listsAnalyzer } from '#src/engine/analyzers/lists.ts';
import { sentenceOf } from '#src/engine/reasons/sentence.ts';
import { UsageError } from '#src/interfaces/cli/command.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { openLists } from '#src/network/lists/local-lists.ts';
import { whyHeldBack } from '#src/network/lists/stored/quarantine-text.ts';
import type { VersionRow } from '#src/network/lists/stored/version-file.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { coveringEntries } from '../covering-entries.ts';
import type { ListsInvocation } from './show.ts';

/** `lurecheck lists test URL`: what the lists say of a URL and those that it wraps, and every entry that covers it, also such as are not applied. */
export async function testUrl(invocation: ListsInvocation, io: Io, text: string): Promise<ExitCode> {
  const { config } = invocation;
  const target = targetOf(text);
  const lists = await openLists(config);
  const models = await openModels(config.data_dir);
  const said = [target, ...unwrap(target)].flatMap((one) => {
    const observed = observeLists(lists, one, systemClock.now());
    const evidence = listsAnalyzer.analyze({ observations: { lists: observed }, models, isSuspicious: false });
    const way = { how: 'inside', host: one.host.text } as const;
    return (evidence?.features ?? []).map(({ name: code, args }) => ({
      code,
      message: sentenceOf({ code, args, ...(one !== target && { ways: [way] }) }),
    }));
  });
  const versions = lists.stored.map(({ version }) => version);
  const covering = await coveringEntries(config.data_dir, versions, target);
  const rows = covering.map(({ version, row }) => ({ list: version.name, row }));
  if (invocation.text('format') === 'json') {
    await io.stdout.write(
      `${visibleJson(JSON.stringify({ url: target.url, reasons: said, entries: rows }, null, 2))}\n`,
    );
    return 0;
  }
  const lines = said.map(({ code, message }) => `${code}\t${visibleInTerminal(message)}\n`);
  const silent = rows.flatMap(({ list, row }) => silentLine(list, row, systemClock.now()));
  await io.stdout.write([...lines, ...silent].join('') || 'no list matches\n');
  return 0;
}

/** Describes entries that cover the URL without an effect. */
function silentLine(list: string, row: VersionRow, nowMs: number): string[] {
  const { entry, line, quarantine, isException, expiresAt } = row;
  const where = `${list}, line ${line}, ${visibleInTerminal(entry)}`;
  if (quarantine !== null) return [`not applied\t${where} ${whyHeldBack(quarantine)}\n`];
  if (isException) return [`exception\t${where} excludes it from that list\n`];
  const isOver = expiresAt !== null && expiresAt * 1000 <= nowMs;
  return isOver ? [`expired\t${where} was valid until ${new Date(expiresAt * 1000).toISOString()}\n`] : [];
}

function targetOf(text: string): Target {
  const target = parseTarget(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (isTargetProblem(target)) throw new UsageError(`"${visibleInTerminal(text)}" ${target.message}`);
  return target;
}
