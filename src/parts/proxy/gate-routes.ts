import { Type } from '@sinclair/typebox';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { decidingEntry, ownerOf } from '#src/checks/record/decided-by.ts';
import { type GateTest, GateTestSchema } from '#src/checks/record/gate-test.ts';
import { explainReason } from '#src/checks/record/reasons/explain.ts';
import { parseInstant, systemClock } from '#src/core/base/clock.ts';
import type { Turns } from '#src/core/base/turns.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { assess } from '#src/engine/assess/assess.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { TestedUrlSchema } from '#src/parts/lists/list-inputs.ts';
import { readGateReport } from '#src/parts/proxy/gate/held-report.ts';
import { isHolding, isListRule, isUnexamined } from '#src/parts/proxy/gate/link-verdicts.ts';
import { BODY_REFUSALS, CONSOLE_REFUSALS, refusing, waitLong } from '#src/service/server/admin/change-parts.ts';
import { admitScopes, type SignedInParts } from '#src/service/server/admin/requester.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { documented } from '#src/service/server/http/documented.ts';
import { parseJsonObject } from '#src/service/server/http/json-body.ts';
import { readQuery } from '#src/service/server/http/known-parameters.ts';
import { parameter } from '#src/service/server/http/parameter.ts';
import { badFields, type Problem, ProblemError } from '#src/service/server/http/problem.ts';
import { refusals } from '#src/service/server/http/refusals.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';
import { GateReportSchema, type GateState } from './gate-answer.ts';
import type { OpenedGate } from './open-gate.ts';

const NO_GATE: GateState = { mode: null, watching_since: null, since: null, passed: null, hosts: [] };

/** Number of reasons that are shown. */
const MAX_REASONS = 5;

/** Returns what the gate would say about a page, with its reasons; nothing is logged, counted or remembered. */
function testLink(
  url: string,
  mode: GateTest['mode'],
  gate: Pick<OpenedGate, 'explain' | 'threshold'>,
  scoring: PreviewView['scoring'],
): GateTest {
  const { rule, decision, probability, target } = gate.explain({ url, isNavigation: true });
  const found = {
    ...{ url: target?.url ?? url, mode, rule, unexamined: isUnexamined(rule) },
    ...{ would_hold: isHolding(rule), decision, malicious_probability: probability, gate_block: gate.threshold() },
  };
  if (target === null) return { ...found, reasons: [], decided_by: null };
  const { lists, models, settings } = scoring();
  const seen = skippedObservations('disabled', observeLists(lists, target, systemClock.now()));
  const reasons = assess(target, seen, models, settings).verdict.contributions.map(explainReason);
  const listed = decision !== null && isListRule(rule) ? decidingEntry(decision, reasons, null) : null;
  const against = reasons.filter(({ weight }) => weight > 0).slice(0, MAX_REASONS);
  return {
    ...found,
    reasons: isHolding(rule) || rule === 'doubtful' ? against.map(({ code, weight }) => ({ code, weight })) : [],
    decided_by: listed && { ...listed, source: ownerOf(listed.list, seen) },
  };
}

/** Dependencies of {@link gateOperations}. */
interface GatedService extends Pick<PreviewView, 'dataDir' | 'scoring' | 'log'> {
  readonly settings: () => Pick<ConfigFor<'serve'>, 'gate_mode' | 'icap_listen' | 'icap_tls_listen'>;
  /** Reports are made one at a time, beside previews. */
  readonly heavy: Pick<Turns, 'run'>;
}

/**
 * Returns what operators ask of the gate.
 *
 * @param gate the open gate; null without one
 */
export function gateOperations(
  { dataDir, settings, scoring, log, heavy }: GatedService,
  gate: () => OpenedGate | null,
) {
  return {
    /**
     * Returns the report, with the requests that this node answered within the last 24 hours; null without a gate.
     *
     * @param sinceMs earliest time, in milliseconds since the Unix epoch; null for when watching began
     */
    async report(sinceMs: number | null) {
      const { gate_mode, icap_listen, icap_tls_listen } = settings();
      if (icap_listen.length + icap_tls_listen.length === 0) return null;
      const when = { sinceMs, nowMs: systemClock.now() };
      const report = await heavy.run(() => readGateReport(dataDir, gate_mode, log, when));
      return { ...report, passed: gate()?.passed() ?? null };
    },
    /** Returns what the gate would say about a URL, and writes nothing; null without a gate. */
    async test(url: string): Promise<GateTest | null> {
      const opened = gate();
      return opened && testLink(url, settings().gate_mode, opened, scoring);
    },
  };
}

const NO_GATE_HERE: Problem = {
  code: 'switched_off',
  detail: 'This service is no gate of a web proxy: set icap_listen.',
};

export interface GateRouteParts extends SignedInParts {
  readonly gate: ReturnType<typeof gateOperations>;
}

/** `GET /api/admin/gate` and `POST /api/admin/gate/test`: what the gate held, and what it would say. */
export const gateRoutes = routesWith<GateRouteParts>()
  .get(
    '/api/admin/gate',
    async ({ query: { since }, service: { gate } }) => {
      const report = await refusing(() => gate.report(since === undefined ? null : parseInstant(since)));
      if (report === null) return NO_GATE;
      return {
        ...report,
        hosts: report.hosts.map((host) => ({ ...host, rules: [...host.rules], reasons: [...host.reasons] })),
      };
    },
    {
      transform: [admitScopes('lists'), readQuery],
      beforeHandle: waitLong,
      query: Type.Object({
        since: Type.Optional(
          parameter('a time such as 2026-01-31T12:00:00Z', (text) => parseInstant(text) !== null, {
            format: 'date-time',
            description: 'Report from this time on; by default since watching began',
            examples: ['2026-01-31T12:00:00Z'],
          }),
        ),
      }),
      response: {
        200: answer(GateReportSchema, {
          description: 'The report.',
          example: {
            mode: 'watch',
            watching_since: '2026-01-01T00:00:00.000Z',
            since: '2026-01-01T00:00:00.000Z',
            passed: { requests: 8120, unexamined: 4 },
            hosts: [
              {
                ...{ host: 'login-nordwerk.example', records: 3, clients: 2, held: 0 },
                ...{ rules: ['list-blocks'], reasons: ['lists.kept_blocked'], last: '2026-01-31T12:00:00.000Z' },
                ...{ via: 'gate', decided_by: { list: 'feed', entry: 'login-nordwerk.example', source: 'source' } },
              },
            ],
          },
        }),
        ...refusals(...CONSOLE_REFUSALS, 'conflict'),
      },
      detail: {
        operationId: 'readGateReport',
        tags: ['Console'],
        summary: 'Read the report of the gate',
        description:
          'Hosts that the gate of a web proxy held, or would have held, and why, as `lurecheck gate report`. Scope: `admin` or `lists`.',
      },
    },
  )
  .post(
    '/api/admin/gate/test',
    async ({ body, service: { gate } }) => {
      const url = /^[a-z][a-z\d+.-]*:\/\//i.test(body.url) ? body.url : `http://${body.url}`;
      const target = parseTarget(url);
      // The gate sees all others, and says so.
      if (isTargetProblem(target) && target.code === 'invalid_url')
        throw new ProblemError(badFields([{ field: 'url', code: target.code, message: target.message }]));
      const said = await gate.test(url);
      if (said === null) throw new ProblemError(NO_GATE_HERE);
      return said;
    },
    {
      parse: [admitScopes('lists'), parseJsonObject],
      body: documented(TestedUrlSchema, {
        description: 'JSON of at most 32 KiB.',
        example: { url: 'https://partner.example/login' },
      }),
      response: {
        200: answer(GateTestSchema, {
          description: 'What the gate would say.',
          example: {
            ...{ url: 'https://partner.example/login', mode: 'watch', rule: 'list-blocks', would_hold: true },
            ...{ unexamined: false, decision: 'block', malicious_probability: null, gate_block: 0.9 },
            reasons: [{ code: 'lists.kept_blocked', weight: 12 }],
            decided_by: { list: 'feed', entry: 'partner.example', source: 'source' },
          },
        }),
        ...refusals(...BODY_REFUSALS, ...CONSOLE_REFUSALS, 'invalid_url', 'switched_off'),
      },
      detail: {
        operationId: 'testGate',
        tags: ['Console'],
        summary: 'Test a URL at the gate',
        description:
          'What the gate would say about a page, with the rule, the reasons and the list entry, as `lurecheck gate test`. ' +
          'Nothing is logged, counted or looked up. Scope: `admin` or `lists`.',
      },
    },
  );
