import { expect, test } from 'bun:test';
import { limiterAddress } from '#src/service/server/limiter/limiter-address.ts';

test.each([
  ['redis://127.0.0.1:6379', { name: '127.0.0.1', port: 6379 }, false, null],
  ['redis://localhost/3', { name: 'localhost', port: 6379 }, false, null],
  ['redis://[::1]:7000', { name: '::1', port: 7000 }, false, null],
  ['redis+unix:///run/redis/redis.sock', null, false, null],
  ['rediss://redis.example', { name: 'redis.example', port: 6379 }, true, null],
  ['rediss://redis.example:6380/0?ca=/etc/ca.pem', { name: 'redis.example', port: 6380 }, true, '/etc/ca.pem'],
  ['redis://10.0.0.5?tls=off', { name: '10.0.0.5', port: 6379 }, false, null],
  ['redis://REDIS_1?tls=off', { name: 'REDIS_1', port: 6379 }, false, null],
  ['redis+unix:///a', null, false, null],
])('%s is a valid limiter address', (text, host, isSecure, caFile) => {
  expect(limiterAddress.read([text])).toMatchObject({
    url: text.split('?')[0],
    withoutPassword: text,
    host,
    isSecure,
    caFile,
  });
});

test.each([
  ['redis://127.0.0.1', ''],
  ['redis://127.0.0.1?shard=a-1', 'a-1'],
  ['redis://10.0.0.5?shard=b&tls=off', 'b'],
  ['rediss://redis.example?ca=/etc/ca.pem&shard=c', 'c'],
  ['redis+unix:///run/redis.sock?shard=d', 'd'],
])('%s counts the clients of the shard "%s"', (text, shard) => {
  expect(limiterAddress.read([text])).toMatchObject({ url: text.split('?')[0], shard });
});

test.each([
  ['redis://10.0.0.5'],
  ['redis://127.0.0.1?shard='],
  ['redis://127.0.0.1?shard=a%20b'],
  ['redis://redis.example:6379'],
  ['redis://127.0.0.1.example:6379'],
  ['redis://127.999.0.1:6379'],
  ['redis://10.0.0.5?tls=on'],
  ['rediss://redis.example?tls=off'],
  ['rediss://redis.example?ca='],
  ['rediss://redis.example?verify=no'],
  ['redis://'],
  ['redis://127.0.0.1:99999'],
  ['redis://127.0.0.1/a/b'],
  ['redis+unix://'],
  ['redis+unix:///'],
  ['redis+unix:///run/redis.sock?tls=off'],
  ['redis://127.0.0.1?db=1'],
  ['redis://127.0.0.1?tls=on'],
  ['redis://!redis?tls=off'],
  ['redis://redis!?tls=off'],
  ['rediss://!redis'],
  ['rediss:///0'],
  ['unix:/run/redis.sock'],
  ['http://127.0.0.1:6379'],
  ['127.0.0.1:6379'],
  [''],
])('%s is not a valid limiter address', (text) => {
  expect(limiterAddress.read([text])).toBeNull();
});

test.each([
  ['rediss://box:swordfish@redis.example:6380', 'rediss://box:***@redis.example:6380'],
  ['redis://:swordfish@127.0.0.1/1', 'redis://:***@127.0.0.1/1'],
  ['redis+unix://:swordfish@localhost/run/redis.sock', 'redis+unix://:***@localhost/run/redis.sock'],
])('%s is printed without its password', (text, shown) => {
  const address = limiterAddress.read([text]);
  expect(address?.url).toBe(text);
  expect(address && limiterAddress.write(address)).toBe(shown);
});
