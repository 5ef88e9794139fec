import { expect, test } from 'bun:test';
import { SERVER_SETTINGS } from '#src/service/server/settings.ts';

const read = (key: 'rate_limit_cidr' | 'base_path' | 'host', text: string) => SERVER_SETTINGS[key].kind.read([text]);

test.each([
  '10.0.0.0/8=x200',
  '10.0.0.0/8=200x',
  '10.0.0.0/8=',
  '10.0.0.0/8',
  '10.0.0.0/8=1=2',
  '10.0.0.0/8=-1',
  '10.0.0.0/8=1.5',
  '10.0.0.0/8=1234567890',
  'x=200',
])('rate_limit_cidr refuses %s', (text) => expect(read('rate_limit_cidr', text)).toBeNull());

test('rate_limit_cidr reads a block and its limit of up to nine digits', () => {
  expect(read('rate_limit_cidr', '10.0.0.0/8=200')).toMatchObject([{ limit: 200 }]);
  expect(read('rate_limit_cidr', '10.0.0.0/8=0')).toMatchObject([{ limit: 0 }]);
  expect(read('rate_limit_cidr', '10.0.0.0/8=123456789')).toMatchObject([{ limit: 123_456_789 }]);
});

test.each(['lurecheck', '/lurecheck/', 'x/lurecheck', '/a//b', '/a b', '/a?b'])('base_path refuses %s', (text) =>
  expect(read('base_path', text)).toBeNull(),
);

test('the defaults protect a service without configuration', () => {
  const defaults = Object.fromEntries(Object.entries(SERVER_SETTINGS).map(([key, one]) => [key, one.default]));
  expect(defaults).toEqual({
    rate_limit: 20,
    rate_limit_cidr: [],
    rate_limit_network: null,
    rate_limit_total: 0,
    rate_limit_keys: 100_000,
    feedback_limit: 5,
    limiter: [],
    limiter_timeout_seconds: 0.1,
    trusted_proxy: [],
    host: [],
    auth_header: null,
    auth_users: [],
    base_path: '',
    contact: null,
    public_history: true,
    default_private: false,
  });
});
