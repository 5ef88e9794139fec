import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { type HeldHost, readHeldHosts } from '#src/service/gate/held-report.ts';
import { noteReport, readWatchState } from '#src/service/gate/watch-state.ts';
import type { Invocation } from '../command.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import type { ExitCode } from '../exit-codes.ts';
import { timeOf } from '../log/time-of.ts';

/** `lurecheck gate report`: what the gate held, or would have held. */
export async function gateReport(invocation: Invocation<ConfigFor<'gate'>>, io: Io): Promise<ExitCode> {
  const { config } = invocation;
  const { watching_since: since } = readWatchState(config.data_dir);
  const sinceMs = timeOf(invocation, 'since') ?? (since === null ? null : Date.parse(since));
  await using opened = await openLog(config, 'read', diagnosticsOf(invocation, io.stderr));
  const hosts = await readHeldHosts(opened.log, sinceMs);
  const from = sinceMs === null ? null : new Date(sinceMs).toISOString();
  const report = { mode: config.gate_mode, watching_since: since, since: from, hosts };
  const text = invocation.flag('json') ? `${visibleJson(JSON.stringify(report, null, 2))}\n` : asText(hosts, from);
  await io.stdout.write(text);
  if (since !== null) noteReport(config.data_dir, systemClock.now());
  return 0;
}

function asText(hosts: readonly HeldHost[], from: string | null): string {
  if (hosts.length === 0) return `nothing was held${from === null ? '' : ` since ${from}`}\n`;
  const lines = hosts.map(({ host, records, clients, held, rules, reasons, last }) => {
    const what = [
      `${counted(records, 'record')} of ${counted(clients, 'client')}`,
      held === records ? 'held' : held === 0 ? 'would be held' : `${held} held`,
    ];
    return `${last}  ${visibleInTerminal(host)}\n  ${what.join(', ')}; ${[...rules, ...reasons].join(', ')}\n`;
  });
  const [first] = hosts;
  const hint = `\nTo allow a host: lurecheck lists add gate ${visibleInTerminal(first?.host ?? '')} --action allow\n`;
  return `${lines.join('')}${hint}`;
}
