import { expect, test } from 'bun:test';
import { hostSet } from '#src/core/knowledge/hosts/page-hosts.ts';
import { hostOf } from '#src/core/url/host.ts';

test('a set of hosts contains each host with all its subdomains, and no other host', () => {
  const hosts = hostSet(['example.com', 'login.live.example', '192.0.2.7']);
  const isIn = (host: string) => hosts.has(hostOf(host));
  const inside = ['example.com', 'a.b.example.com', 'login.live.example', 'x.login.live.example', '192.0.2.7'];
  const outside = ['notexample.com', 'example.com.example', 'live.example', 'com', '192.0.2.8', '7'];
  expect([...inside, ...outside].filter(isIn)).toEqual(inside);
});
