import { expect, test } from 'bun:test';
import { pageFiles } from '#src/server/page/page-files.ts';
import { PAGE_POLICY } from '#src/server/page/page-policy.ts';

const files = pageFiles({ default_private: true, public_history: false, thresholds: { warn: 0.4, block: 0.8 } });
const textOf = (body: Uint8Array<ArrayBuffer> | undefined) => new TextDecoder().decode(Bun.gunzipSync(body ?? ''));
const document = textOf(files.get('')?.body);

test('script, style and icon take less than 100 KB compressed', () => {
  const sizeBytes = [...files.values()].reduce((sum, { body }) => sum + body.length, 0);
  expect(files.size).toBe(4);
  expect(sizeBytes).toBeLessThan(100_000);
});

test('the document names the other files by relative paths that hold a hash of their content', () => {
  const named = [...document.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path ?? '');
  expect(named.toSorted()).toEqual([...files.keys()].filter((path) => path !== '').toSorted());
  for (const path of named) expect(path).toMatch(/^assets\/[a-z]+-[0-9a-f]{12}\.(js|css|svg)$/);
});

test("the operator's choices stand in the document", () => {
  expect(document).toContain(
    '<html data-default-private="true" data-public-history="false" data-warn="0.4" data-block="0.8" ',
  );
});

test('nothing in the page names another host or is inline', () => {
  expect(document).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
  for (const [path, { body }] of files) {
    const text = textOf(body);
    const hosts = [...text.matchAll(/https?:\/\/([a-z0-9.-]+)/gi)].map(([, host]) => host ?? '');
    expect([path, hosts.filter((host) => !/^(www\.w3\.org|.*example(\.com)?)$/.test(host))]).toEqual([path, []]);
  }
});

test('the policy allows nothing unsafe and no other origin', () => {
  expect(PAGE_POLICY).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
  // What neither falls back to `default-src` nor is there unless it is asked for.
  for (const directive of ['base-uri', 'form-action', 'frame-ancestors', 'trusted-types', 'object-src']) {
    expect(PAGE_POLICY.split('; ')).toContain(`${directive} 'none'`);
  }
  expect(PAGE_POLICY).toContain("require-trusted-types-for 'script'");
});
