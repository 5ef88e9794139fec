import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import type { Invocation } from '#src/interfaces/cli/command.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { timeOf } from '#src/interfaces/cli/log/time-of.ts';
import { readGateReport } from '#src/parts/proxy/gate/gate-report.ts';
import type { HeldHost } from '#src/parts/proxy/gate/held-report.ts';

/** `lurecheck gate report`: what the gate held, or would have held. */
export async function gateReport(invocation: Invocation<ConfigFor<'gate'>>, io: Io): Promise<ExitCode> {
  const { config } = invocation;
  await using opened = await openLog(config, 'read', diagnosticsOf(invocation, io.stderr));
  const when = { sinceMs: timeOf(invocation, 'since') ?? null, nowMs: systemClock.now() };
  const report = await readGateReport(config.data_dir, config.gate_mode, opened.log, when);
  const isJson = invocation.flag('json');
  const text = isJson ? `${visibleJson(JSON.stringify(report, null, 2))}\n` : asText(report.hosts, report.since);
  await io.stdout.write(text);
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
