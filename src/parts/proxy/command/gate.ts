import { canaryDecision } from '#src/app/canaries.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import { openClassifier } from '#src/app/scoring/classifier.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { assessSettings } from '#src/engine/assess/settings.ts';
import { gateThreshold } from '#src/engine/fusion/model.ts';
import { type Command, type Invocation, UsageError } from '#src/interfaces/cli/command.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { timeOf } from '#src/interfaces/cli/log/log-request.ts';
import { indentedJson } from '#src/interfaces/cli/report-format.ts';
import { openLists } from '#src/network/lists/local-lists.ts';
import { createGate } from '#src/parts/proxy/gate/gate.ts';
import { type HeldHost, readGateReport } from '#src/parts/proxy/gate/held-report.ts';
import { isHolding, isUnexamined } from '#src/parts/proxy/gate/link-verdicts.ts';

/** `lurecheck gate` */
export const gateCommand: Command<'gate'> = {
  name: 'gate',
  operands: 'report | test URL',
  summary: 'show what the gate of a web proxy holds, and why',
  options: {
    since: { type: 'string', value: 'TIME', description: 'Report from this time on. Default: since watching began.' },
    connect: { type: 'boolean', description: 'Test as a tunnel of https, of which a proxy knows the host only.' },
    json: { type: 'boolean', description: 'Print JSON.' },
  },
  examples: [
    { line: 'lurecheck gate report', purpose: 'Show the hosts that were held, or would have been, latest first.' },
    { line: 'lurecheck gate test https://partner.example/login', purpose: 'Show which rule applies to a link.' },
  ],
  async run(invocation, io) {
    const [action, url, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`gate ${action} takes no further operand: unexpected "${extra}"`);
    if (action === 'report' && url === undefined) return await gateReport(invocation, io);
    if (action === 'test' && url !== undefined) return await testAtGate(invocation, io, url);
    throw new UsageError('expected gate report or gate test URL');
  },
};

/** `lurecheck gate report`: what the gate held, or would have held. */
async function gateReport(invocation: Invocation<ConfigFor<'gate'>>, io: Io): Promise<ExitCode> {
  const { config } = invocation;
  await using opened = await openLog(config, 'read', diagnosticsOf(invocation, io.stderr));
  const when = { sinceMs: timeOf(invocation, 'since') ?? null, nowMs: systemClock.now() };
  const report = await readGateReport(config.data_dir, config.gate_mode, opened.log, when);
  await io.stdout.write(invocation.flag('json') ? indentedJson(report) : asText(report.hosts, report.since));
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

/** `lurecheck gate test URL`: what the gate decides on a link, and by which rule. Deep lookups of a service are unknown here. */
async function testAtGate(invocation: Invocation<ConfigFor<'gate'>>, io: Io, text: string): Promise<ExitCode> {
  const { config } = invocation;
  const url = urlOf(text, invocation.flag('connect'));
  const [lists, { models }] = await Promise.all([openLists(config), openClassifier(config.data_dir)]);
  const settings = assessSettings(config, models);
  const gateBlock = config.gate_block ?? gateThreshold(models.fusion);
  using gate = createGate({
    settings: () => ({ ...config, gate_deep_per_minute: 0, gate_log_users: false }),
    thresholds: () => ({ warn: settings.thresholds.warn, gate: gateBlock }),
    lists,
    assess: (target, observations) => assess(target, observations, models, settings),
    context: () => [],
    ownDomains: () => new Set(models.configuredBrands.flatMap(({ domains }) => domains)),
    canary: canaryDecision,
    isBehind: () => false,
    probeHost: null,
    record: async () => {},
    onAnswered() {},
    onProbed() {},
    clock: systemClock,
    logger: diagnosticsOf(invocation, io.stderr),
  });
  const { rule, decision, probability } = gate.explain({ url, isNavigation: true });
  const wouldHold = isHolding(rule);
  const found = {
    url,
    rule,
    would_hold: wouldHold,
    mode: config.gate_mode,
    decision,
    malicious_probability: probability,
    gate_block: gateBlock,
  };
  if (invocation.flag('json')) {
    await io.stdout.write(indentedJson(found));
    return 0;
  }
  const passes = isUnexamined(rule) ? 'passes unexamined' : 'passes';
  const act = wouldHold ? (config.gate_mode === 'hold' ? 'held' : 'passes in watch mode, and would be held') : passes;
  const score = probability === null ? '' : `, probability ${probability.toFixed(4)}, held from ${gateBlock}`;
  await io.stdout.write(`${visibleInTerminal(url)}\n  ${act}: ${rule}${score}\n`);
  return 0;
}

function urlOf(text: string, isConnect: boolean): string {
  const target = parseTarget(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (isTargetProblem(target)) throw new UsageError(`"${visibleInTerminal(text)}" ${target.message}`);
  if (!isConnect) return target.url;
  const { host, port } = target;
  const name = host.kind === 'ipv6' ? `[${host.text}]` : host.text;
  return `https://${name}${port === 443 || port === 80 ? '' : `:${port}`}/`;
}
