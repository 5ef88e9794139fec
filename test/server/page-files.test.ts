import { expect, test } from 'bun:test';
import { pageFiles } from '#src/server/page/page-files.ts';
import { PAGE_POLICY } from '#src/server/page/page-policy.ts';
import { LANGUAGES } from '#src/ui/languages/known.ts';

const files = pageFiles(
  {
    default_private: true,
    public_history: false,
    network: 'full',
    base_rate: 0.05,
  },
  () => ({ warn: 0.4, block: 0.8 }),
);
const textOf = (body: Uint8Array<ArrayBuffer> | undefined) => new TextDecoder().decode(Bun.gunzipSync(body ?? ''));
const document = textOf(files.get('')?.body);

test('the page and all that it ever loads in one language take less than 110 kB compressed, but for what reads codes in pictures', () => {
  const isLanguage = (path: string, text: string) => path.startsWith('assets/part-') && text.includes('"app.skip"');
  const kinds = Map.groupBy(files, ([path, { body }]) => {
    const text = textOf(body);
    // It is loaded at `/help`, and there alone.
    if (path.startsWith('assets/manual-')) return 'manual';
    if (isLanguage(path, text)) return 'language';
    return text.includes('createImageBitmap') ? 'code' : 'needed';
  });
  const sizes = (kind: 'language' | 'code' | 'needed') => (kinds.get(kind) ?? []).map(([, { body }]) => body.length);
  expect(sizes('language').length).toBe(Object.keys(LANGUAGES).length);
  expect(sizes('code').length).toBe(1);
  expect(sizes('needed').reduce((sum, size) => sum + size, Math.max(...sizes('language')))).toBeLessThan(110_000);
});

test('the document names script, style and icon by relative paths that hold a hash of their content', () => {
  const named = [...document.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path ?? '');
  const isPart = (path: string) => path.startsWith('assets/part-');
  expect(named.toSorted()).toEqual(
    [...files.keys()].filter((path) => path !== '' && !isPart(path) && !path.startsWith('assets/manual-')).toSorted(),
  );
  for (const path of files.keys())
    expect(path).toMatch(/^(?:assets\/[a-z]+-(?:[0-9a-f]{12}|[0-9a-z]{8})\.(?:js|css|svg))?$/);
});

test('every part that is loaded when it is needed is named by another script, relative to it', () => {
  const scripts = [...files]
    .filter(([path]) => path.endsWith('.js'))
    .map(([path, { body }]) => [path, textOf(body)] as const);
  const parts = scripts.map(([path]) => path).filter((path) => path.startsWith('assets/part-'));
  expect(parts.length).toBeGreaterThan(1);
  const isNamed = (part: string) =>
    scripts.some(([path, text]) => path !== part && text.includes(`"./${part.slice('assets/'.length)}"`));
  expect(parts.filter((part) => !isNamed(part))).toEqual([]);
});

test("the operator's choices stand in the document", () => {
  expect(document).toContain(
    '<html data-default-private="true" data-public-history="false" data-network="full" data-base-rate="0.05" data-warn="0.4" data-block="0.8" ',
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
