import { expect, test } from 'bun:test';
import { readConfig } from '#src/app/config.ts';
import { syslogAddress } from '#src/parts/monitoring/syslog/settings.ts';

test.each([
  ['udp://192.0.2.1', { way: 'udp', host: '192.0.2.1', port: 514, caFile: null }],
  ['tcp://logs.example:10514', { way: 'tcp', host: 'logs.example', port: 10_514, caFile: null }],
  ['tcp://[2001:db8::1]', { way: 'tcp', host: '2001:db8::1', port: 601, caFile: null }],
  ['tls://logs.example?ca=/etc/a%20b.pem', { way: 'tls', host: 'logs.example', port: 6514, caFile: '/etc/a b.pem' }],
  ['unix:/dev/log', { way: 'unix', host: '/dev/log', port: 0, caFile: null }],
] as const)('%s is a valid syslog address, and is equal after writing and reading', (text, address) => {
  expect(syslogAddress.read([text])).toEqual(address);
  expect(syslogAddress.read([syslogAddress.write(address)])).toEqual(address);
});

test.each([
  '',
  'logs.example',
  'http://logs.example',
  'udp://',
  'udp://:514',
  'udp://logs.example:0',
  'udp://logs.example:65536',
  'udp://2001:db8::1',
  'udp://[192.0.2.1]:514',
  'udp://logs.example/path',
  'udp://user@logs.example',
  'tcp://logs.example?ca=/etc/ca.pem',
  'tls://logs.example?ca=',
  'tls://logs.example?verify=no',
  'unix:',
  'unix:dev/log',
  'unix:/dev/',
  'unix:/dev/l\0og',
  `unix:/${'a'.repeat(107)}`,
])('%p is not a valid syslog address', (text) => {
  expect(syslogAddress.read([text])).toBeNull();
});

test('syslog_checks without syslog is refused', () => {
  const read = (flags: Record<string, string[]>) => readConfig({ flags, environment: {}, file: null });
  expect(() => read({ 'syslog-checks': ['true'] })).toThrow('syslog_checks is set, but syslog is not');
  expect(read({ 'syslog-checks': ['true'], syslog: ['udp://192.0.2.1'] }).values.syslog_checks).toBe(true);
});
