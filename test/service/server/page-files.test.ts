import { expect, test } from 'bun:test';
import { Script } from 'node:vm';
import { LANGUAGES } from '#src/core/languages/languages.ts';
import { pageFiles } from '#src/service/server/page/page-files.ts';
import { PAGE_POLICY, START_POLICY } from '#src/service/server/page/page-routes.ts';
import { startServer } from './running-server.ts';

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

test('the page takes less than 84 kB compressed in one language, without the readers of messages and pictures', () => {
  const isLanguage = (path: string) => /^assets\/[a-z]+-page-/.test(path);
  const kinds = Map.groupBy(files, ([path, { body }]) => {
    const text = textOf(body);
    // It is loaded at `/help`, and there alone.
    if (path.startsWith('assets/manual-')) return 'manual';
    // What takes in files and rich text is loaded with the reader alone, and the view of mails and their reasons after it.
    if (
      path.startsWith('assets/reader-') ||
      text.includes('"mail-title"') ||
      /^assets\/[a-z]+-mail-/.test(path) ||
      (!path.startsWith('assets/app-') && text.includes('"check.picture.noCode",'))
    )
      return 'reader';
    if (isOfConsole(path, text)) return 'console';
    if (path.startsWith(':')) return 'other document';
    // Browsers load these to install the page, and not with it.
    if (/\.(?:png|ico)$|start|^service-worker/.test(path)) return 'installed';
    if (isLanguage(path)) return 'language';
    return text.includes('createImageBitmap') ? 'code' : 'needed';
  });
  const sizes = (kind: 'language' | 'code' | 'reader' | 'needed') =>
    (kinds.get(kind) ?? []).map(([, { body }]) => body.length);
  expect(sizes('language').length).toBe(Object.keys(LANGUAGES).length);
  expect(sizes('code').length).toBe(1);
  // Messages and what is pasted with its markup are read by a worker on demand, which has the readers of pages, scripts and PDF
  // and the list of public suffixes, since exits are compared by site.
  expect(sizes('reader').every((size) => size < 175_000)).toBe(true);
  expect(sizes('needed').reduce((sum, size) => sum + size, Math.max(...sizes('language')))).toBeLessThan(84_000);
});

/** True for the console's own code before and after the sign-in, its style, and its sentences in one language. */
function isOfConsole(path: string, text: string): boolean {
  return path.startsWith('assets/console-') || isSignIn(text) || isBehindSignIn(text) || isConsoleLanguage(text);
}

const isSignIn = (text: string) => text.includes('"sign-in"') || text.includes('"api/session"');
const isBehindSignIn = (text: string) => text.includes('"console-menu"');

function isConsoleLanguage(text: string): boolean {
  return text.includes('"signIn.lead":');
}

/** Scripts that a script imports when it is loaded, and those that they import. */
function importedBy(path: string, known = new Set<string>()): ReadonlySet<string> {
  known.add(path);
  for (const [, name] of textOf(files.get(path)?.body).matchAll(/(?:from|import)"\.\/((?:app|part)-\w+\.js)"/g)) {
    if (!known.has(`assets/${name}`)) importedBy(`assets/${name}`, known);
  }
  return known;
}

test('the console takes at most 60 kB compressed in one language, and is loaded with no other page', () => {
  const parts = [...files].filter(([path, { body }]) => isOfConsole(path, textOf(body)));
  const [languages, own] = [true, false].map((isLanguage) =>
    parts.filter(([, { body }]) => isConsoleLanguage(textOf(body)) === isLanguage),
  ) as [typeof parts, typeof parts];
  expect(languages.length).toBe(Object.keys(LANGUAGES).length);
  expect(own.map(([path]) => path.replace(/-.*\./, '.')).toSorted()).toEqual([
    ...['assets/console.css', 'assets/part.js', 'assets/part.js', 'assets/part.js'],
  ]);
  const app = [...files.keys()].find((path) => path.startsWith('assets/app-') && path.endsWith('.js')) ?? '';
  const before = importedBy(app);
  expect([...before].filter((path) => parts.some(([one]) => one === path))).toEqual([]);
  const scriptWith = (isOne: (text: string) => boolean) =>
    own.find(([path, { body }]) => path.endsWith('.js') && isOne(textOf(body)))?.[0] ?? '';
  const [signIn, behind] = [scriptWith((text) => text.includes('"sign-in"')), scriptWith(isBehindSignIn)];
  expect([signIn === behind, importedBy(signIn).has(behind)]).toEqual([false, false]);
  const loaded = new Set([...own.map(([path]) => path), ...importedBy(signIn), ...importedBy(behind)]).difference(
    before,
  );
  const size = [...loaded].reduce((sum, path) => sum + (files.get(path)?.body.length ?? 0), 0);
  expect(size + Math.max(...languages.map(([, { body }]) => body.length))).toBeLessThanOrEqual(60_000);
});

test('a first load takes less than 62 kB compressed in every language, and at most six requests', () => {
  const first = [...document.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(([, path]) => path ?? '')
    // Browsers ask for these when the page is put on a home screen, or added as a search engine.
    .filter((path) => !/touch-|opensearch/.test(path));
  const languages = [...files].filter(([path]) => /^assets\/[a-z]+-page-/.test(path));
  const sizeOf = (path: string) => files.get(path)?.body.length ?? 0;
  const size = ['', ...first].reduce((sum, path) => sum + sizeOf(path), 0);
  expect(['', ...first].length + 1).toBeLessThanOrEqual(6);
  for (const [path, { body }] of languages) expect([path, size + body.length < 62_000]).toEqual([path, true]);
});

/** Files at an address that does not change with their content. */
const AT_FIXED_ADDRESSES = ['', 'favicon.ico', 'manifest.webmanifest', 'service-worker.js', 'start'];

test('the document references its files by relative paths, most of which contain a hash of the content', () => {
  const named = [...document.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path ?? '');
  expect(named.map((path) => path.replace(/-(?:[0-9a-f]{12}|[0-9a-z]{8})\./, '.')).toSorted()).toEqual([
    'assets/app.css',
    'assets/app.js',
    'assets/icon.svg',
    'assets/touch-180.png',
    'manifest.webmanifest',
    'opensearch.xml',
  ]);
  expect(named.filter((path) => !files.has(path))).toEqual(['opensearch.xml']);
  for (const [path, { isImmutable }] of files) {
    if (path.startsWith(':')) continue;
    const isHashed = /^assets\/[a-z]+(?:-\w+)?-(?:[0-9a-f]{12}|[0-9a-z]{8})\.(?:js|json|css|svg|png)$/.test(path);
    expect([path, isHashed, isImmutable]).toEqual([path, isHashed, isHashed]);
    expect([path, isHashed || AT_FIXED_ADDRESSES.includes(path)]).toEqual([path, true]);
  }
});

test('the manifest names existing icons with their actual sizes', () => {
  const { icons, ...manifest } = JSON.parse(textOf(files.get('manifest.webmanifest')?.body));
  expect(manifest).toEqual({
    ...{ name: 'lurecheck', short_name: 'lurecheck', description: expect.stringContaining('phishing') },
    ...{ start_url: 'start', scope: './', display: 'standalone', categories: ['security', 'utilities'] },
    ...{ background_color: '#f6f6f3', theme_color: '#2a4d9c' },
    // What POST /share reads.
    share_target: {
      ...{ action: 'share', method: 'POST', enctype: 'application/x-www-form-urlencoded' },
      params: { title: 'title', text: 'text', url: 'url' },
    },
  });
  const purposes = icons.map(({ purpose }: { purpose?: string }) => purpose ?? 'any');
  expect(purposes).toEqual(['any', 'any', 'any', 'maskable']);
  const sizes = icons.map(({ src, type }: { src: string; type: string }) => {
    const { contentType, body } = files.get(src) ?? {};
    expect([src, contentType]).toEqual([src, type]);
    if (type !== 'image/png') return 'any';
    const header = new DataView(Bun.gunzipSync(body ?? '').buffer);
    return `${header.getUint32(16)}x${header.getUint32(20)}`;
  });
  expect(sizes).toEqual(['any', '192x192', '512x512', '512x512']);
  expect(icons.map((icon: { sizes: string }) => icon.sizes)).toEqual(sizes);
});

test('every file has the content type of its extension', () => {
  const types: Readonly<Record<string, string>> = {
    ...{ js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', ico: 'image/x-icon' },
    ...{ svg: 'image/svg+xml', json: 'application/json', png: 'image/png', webmanifest: 'application/manifest+json' },
  };
  for (const [path, { contentType }] of files) {
    const [, extension = ''] = /\.(\w+)$/.exec(path) ?? [];
    expect([path, contentType]).toEqual([path, types[extension] ?? 'text/html; charset=utf-8']);
  }
});

test('every part that is loaded on demand is named by another script, relative to it', () => {
  const scripts = [...files]
    .filter(([path]) => path.endsWith('.js'))
    .map(([path, { body }]) => [path, textOf(body)] as const);
  const parts = scripts.map(([path]) => path).filter((path) => path.startsWith('assets/part-'));
  expect(parts.length).toBeGreaterThan(1);
  const isNamed = (part: string) =>
    scripts.some(([path, text]) => path !== part && text.includes(`"./${part.slice('assets/'.length)}"`));
  expect(parts.filter((part) => !isNamed(part))).toEqual([]);
});

test('the document contains the settings of the operator', () => {
  expect(document).toContain(
    '<html data-default-private="true" data-public-history="false" data-network="full" data-base-rate="0.05" data-warn="0.4" data-block="0.8" ',
  );
});

test('the document names the worker that reads messages, and the worker imports nothing', () => {
  const [, reader = ''] = /<meta name="reader" content="([^"]+)"/.exec(document) ?? [];
  expect(reader).toMatch(/^assets\/reader-[0-9a-f]{12}\.js$/);
  const script = textOf(files.get(reader)?.body);
  expect(script).toContain('.onmessage=');
  // A script of a worker that is no module may import nothing; texts in it may have these words.
  expect(script).not.toMatch(/(?:^|[;}])\s*(?:import[\s("'{*]|export\s*[{*])/);
  // Nor may it have anything else of a module, such as `import.meta`.
  expect(() => new Script(script)).not.toThrow();
});

test('the page contains no inline code and names no other host', () => {
  expect(document).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
  for (const [path, { body }] of files) {
    const text = textOf(body);
    if (/\.(?:png|ico)$/.test(path)) continue;
    const hosts = [...text.matchAll(/https?:\/\/([a-z0-9.-]+)/gi)].map(([, host]) => host ?? '');
    expect([path, hosts.filter((host) => !/^(www\.w3\.org|.*example(\.com)?)$/.test(host))]).toEqual([path, []]);
  }
});

test.each([
  ['page', PAGE_POLICY, 'default object script style img connect base form frame', ['self', 'none']],
  ['start', START_POLICY, 'default script img manifest base form frame', ['self', 'none']],
] as const)('the policy of the %s restricts every kind of source to self or none', (_, policy, kinds, sources) => {
  const named = policy.split('; ').filter((one) => !one.includes('trusted-types'));
  expect(named.map((one) => one.split('-')[0])).toEqual(kinds.split(' '));
  const sourcesOf = named.map((one) => one.split(' ').slice(1).join(' '));
  expect([...new Set(sourcesOf)].toSorted()).toEqual(sources.map((source) => `'${source}'`).toSorted());
  for (const one of ['base-uri', 'form-action', 'frame-ancestors']) expect(named).toContain(`${one} 'none'`);
});

test('the policy allows nothing unsafe and no other origin', () => {
  expect(PAGE_POLICY).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
  // What neither falls back to `default-src` nor is there unless it is asked for.
  for (const directive of ['base-uri', 'form-action', 'frame-ancestors', 'object-src']) {
    expect(PAGE_POLICY.split('; ')).toContain(`${directive} 'none'`);
  }
  expect(PAGE_POLICY).toContain("require-trusted-types-for 'script'");
  // One policy, which gives out the address of the worker that reads messages and nothing else.
  expect(PAGE_POLICY.split('; ')).toContain('trusted-types reader');
});

test('without scripts the document states its requirement in the preferred language of the browser', async () => {
  await using server = startServer({ page: { files, policy: PAGE_POLICY } });
  const asked = async (language: string | null) => {
    const page = await fetch(`${server.url}/`, { headers: language === null ? {} : { 'accept-language': language } });
    expect(page.headers.get('vary')).toBe('accept-encoding, accept-language');
    const [, attributes = '', said = ''] =
      /<html[^>]*? (lang=[^>]*)>.*<noscript>.*?<p class="card">(.*?)</s.exec(await page.text()) ?? [];
    return [attributes, said.slice(0, 24)];
  };
  expect(await asked(null)).toEqual(['lang="en"', 'This page needs JavaScri']);
  expect(await asked('de-AT, en;q=0.5')).toEqual(['lang="de"', 'Diese Seite braucht Java']);
  expect(await asked('zh, ar;q=0.9')).toEqual(['lang="ar" dir="rtl"', 'تحتاج هذه الصفحة إلى Jav']);
  expect(await asked('zh')).toEqual(['lang="en"', 'This page needs JavaScri']);
  for (const language of Object.keys(LANGUAGES)) expect((await asked(language))[0]).toStartWith(`lang="${language}"`);
});
