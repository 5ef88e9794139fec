import { expect, test } from 'bun:test';
import { ecsEvent, type LogFormat, membersIn } from '#src/core/base/log/log-format.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { VERSION } from '#src/core/base/version.ts';

const AT = Date.UTC(2026, 0, 31, 12);
const OBSERVER = { 'observer.vendor': 'lurecheck', 'observer.product': 'lurecheck', 'observer.version': VERSION };

const eventOf = (event: string, fields: Readonly<Record<string, unknown>>) =>
  ecsEvent({ atMs: AT, level: 'info', event, fields });

test('a check has the ECS fields that fit, and labels for the rest', () => {
  const check = {
    request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b',
    visibility: 'public',
    url: 'https://a.example/x?y=1',
    malicious_probability: 0.25,
    decision: 'warn',
    caution: false,
    top_reason: 'lists.kept_blocked',
    list: 'feed',
    probes: { page: 'ok', dns: 'timeout' },
    analysis_time: 0.0015,
    model_version: '7-abc',
  };
  expect(eventOf('check.done', check)).toEqual({
    '@timestamp': '2026-01-31T12:00:00.000Z',
    'log.level': 'info',
    'event.action': 'check.done',
    'event.kind': 'event',
    'event.category': ['threat', 'network'],
    'event.id': check.request_id,
    'url.full': check.url,
    'url.domain': 'a.example',
    'event.risk_score_norm': 25,
    'event.duration': 1_500_000,
    'rule.name': 'lists.kept_blocked',
    'threat.indicator.provider': 'feed',
    'labels.lurecheck_visibility': 'public',
    'labels.lurecheck_decision': 'warn',
    'labels.lurecheck_caution': 'false',
    'labels.lurecheck_probes_page': 'ok',
    'labels.lurecheck_probes_dns': 'timeout',
    'labels.lurecheck_model_version': '7-abc',
    ...OBSERVER,
    'ecs.version': '8.11.0',
  });
});

test('null members have no field: a private check has no URL', () => {
  const event = eventOf('check.done', { url: null, top_reason: null, list: null, visibility: 'private' });
  expect(Object.keys(event).filter((name) => /^(?:url|rule|threat)/.test(name))).toEqual([]);
});

test('a link that the gate holds is an alert', () => {
  expect(eventOf('gate.held', {})).toMatchObject({ 'event.kind': 'alert', 'event.category': ['threat', 'network'] });
});

test('another event has its message, its error, and labels', () => {
  const error = new TypeError('broken');
  const event = eventOf('server.fault', { message: 'look', error, settings: ['a', { b: 1 }], count: 3 });
  expect(event).toMatchObject({
    message: 'look',
    'error.type': 'TypeError',
    'error.message': 'broken',
    'error.stack_trace': error.stack,
    'labels.lurecheck_settings': ['a', '{"b":1}'],
    'labels.lurecheck_count': '3',
  });
  expect(event['event.category']).toBeUndefined();
});

test('a member named like an inherited object property is a label like any other', () => {
  expect(eventOf('x', { constructor: 'a' })).toMatchObject({ 'labels.lurecheck_constructor': 'a' });
});

test('the ready line keeps the members that programs wait for', () => {
  const lines: string[] = [];
  const logger = createLogger(
    'info',
    (line) => lines.push(line),
    () => AT,
    (logged) => membersIn('ecs', logged),
  );
  logger.info('server.listening', { url: 'http://127.0.0.1:8080' });
  expect(lines[0]).toContain('"event":"server.listening","url":"http://127.0.0.1:8080"');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ 'event.action': 'server.listening' });
});

test('the format may change between two lines', () => {
  const lines: string[] = [];
  let format: LogFormat = 'json';
  const logger = createLogger(
    'info',
    (line) => lines.push(line),
    () => AT,
    (logged) => membersIn(format, logged),
  );
  logger.info('a', { b: 1 });
  format = 'ecs';
  logger.info('a', { b: 1 });
  expect(lines[0]).toBe('{"time":"2026-01-31T12:00:00.000Z","level":"info","event":"a","b":1}\n');
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ 'event.action': 'a', 'labels.lurecheck_b': '1' });
});
