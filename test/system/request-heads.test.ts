import { beforeAll, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { parseAs } from '#test/support/parse-as.ts';
import { PUBLIC } from '#test/support/place.ts';
import { runInNamespace } from './namespace.ts';
import { REQUEST_WAYS, WAY_HOSTS } from './request-ways.ts';

const Heads = Type.Array(Type.String());
const Printed = Type.Record(Type.String(), Type.Object({ chromium: Heads, lurecheck: Heads }));
let printed: Record<string, { chromium: string[]; lurecheck: string[] }> = {};

beforeAll(async () => {
  const addresses = [PUBLIC.resolver, ...WAY_HOSTS.map((_, index) => PUBLIC.siteAddress(index))];
  printed = parseAs(Printed, await runInNamespace('request-heads-inside.ts', { addresses }));
});

/** Removes what names the platform, the brand and the version: visits imitate Chrome on Windows. */
function withoutIdentity(head: string): string {
  return head
    .replace(/^(User-Agent: Mozilla\/5\.0 \()[^)]*(\).* )(?:Headless)?Chrome\/[\d.]+/m, '$1…$2Chrome')
    .replace(/^(sec-ch-ua-platform: ).*/m, '$1…')
    .replace(/^sec-ch-ua: .*/m, (line) => line.replace(/, "Google Chrome";v="\d+"/, '').replaceAll(/v="\d+"/g, 'v'));
}

test.each(Object.keys(REQUEST_WAYS))('%s: the requests are those of Chromium, byte by byte', (name) => {
  const { chromium = [], lurecheck = [] } = printed[name] ?? {};
  expect(lurecheck.map(withoutIdentity)).toEqual(chromium.map(withoutIdentity));
  expect(chromium.length).toBe(REQUEST_WAYS[name]?.origins.length ?? 0);
});
