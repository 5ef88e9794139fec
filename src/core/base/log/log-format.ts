import { type LogEvent, type LogFields, ownMembers } from '../logger.ts';
import { VERSION } from '../version.ts';

/** Version of the Elastic Common Schema from which the names are. */
const ECS_VERSION = '8.11.0';

/** Events that ask for attention. */
const ALERTS: ReadonlySet<string> = new Set(['gate.held']);

/** Events about links and mails. */
const ABOUT_LINKS: ReadonlySet<string> = new Set(['check.done', 'message.done', 'gate.held']);

/** Event that signals readiness: programs that start the service rely on its members, which stay beside those of the schema. */
const READY = 'server.listening';

const NANOSECONDS = 1e9;

/** Members that have a field of the schema. */
const FIELDS: Readonly<Record<string, (value: unknown) => LogFields>> = {
  request_id: (value) => ({ 'event.id': value }),
  url: (value) => ({ 'url.full': value, 'url.domain': URL.parse(String(value))?.hostname ?? null }),
  malicious_probability: (value) => ({ 'event.risk_score_norm': 100 * Number(value) }),
  top_reason: (value) => ({ 'rule.name': value }),
  list: (value) => ({ 'threat.indicator.provider': value }),
  analysis_time: (value) => ({ 'event.duration': Math.round(NANOSECONDS * Number(value)) }),
  message: (value) => ({ message: value }),
};

/**
 * Returns an event with the names of the Elastic Common Schema, each with its dots. A member without a field of the schema
 * becomes a label, `labels.lurecheck_NAME`, as text. What is null is left out.
 */
export function ecsEvent({ atMs, level, event, fields }: LogEvent): LogFields {
  const named: Record<string, unknown> = {
    '@timestamp': new Date(atMs).toISOString(),
    'log.level': level,
    ...(event === READY && { event, ...fields }),
    'event.action': event,
    'event.kind': ALERTS.has(event) ? 'alert' : 'event',
    ...(ABOUT_LINKS.has(event) && { 'event.category': ['threat', 'network'] }),
  };
  for (const [name, value] of Object.entries(fields)) {
    for (const [field, one] of Object.entries(fieldsOf(name, value))) if (one !== null) named[field] = one;
  }
  return {
    ...named,
    'observer.vendor': 'lurecheck',
    'observer.product': 'lurecheck',
    'observer.version': VERSION,
    'ecs.version': ECS_VERSION,
  };
}

function fieldsOf(name: string, value: unknown): LogFields {
  if (value === null || value === undefined) return {};
  if (value instanceof Error)
    return { 'error.type': value.name, 'error.message': value.message, 'error.stack_trace': value.stack ?? null };
  return (Object.hasOwn(FIELDS, name) && FIELDS[name]?.(value)) || labelsOf(name, value);
}

/** A label holds text or a list of texts; members of an object are labels of their own. */
function labelsOf(name: string, value: unknown): LogFields {
  if (Array.isArray(value)) return { [`labels.lurecheck_${name}`]: value.map(textOf) };
  if (typeof value !== 'object' || value === null) return { [`labels.lurecheck_${name}`]: textOf(value) };
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.assign({}, ...members.map(([member, inner]) => labelsOf(`${name}_${member}`, inner)));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Names of the members of a line: those of this program, or those of the Elastic Common Schema. */
export const LOG_FORMATS = ['json', 'ecs'] as const;

export type LogFormat = (typeof LOG_FORMATS)[number];

/** Returns the members of an event as a format names them. */
export function membersIn(format: LogFormat, logged: LogEvent): LogFields {
  return format === 'ecs' ? ecsEvent(logged) : ownMembers(logged);
}
