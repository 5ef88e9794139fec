import { expect, test } from 'bun:test';
import { clientNames } from '#src/service/server/limiter/client.ts';

test('nodes with one key derive the same 16-character client name, unique per client, limit and key', () => {
  const nameOf = clientNames(Buffer.from('key'));
  expect(nameOf('client', '192.0.2.1')).toBe('U52wk1wMKb3fRP2i');
  const others = [
    nameOf('client', '192.0.2.2'),
    nameOf('network', '192.0.2.1'),
    clientNames(Buffer.from('x'))('client', '192.0.2.1'),
  ];
  expect(new Set([nameOf('client', '192.0.2.1'), ...others]).size).toBe(4);
});
