import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANGUAGES, type LanguageTag } from '#src/core/languages/languages.ts';
import { readTexts } from '#src/core/languages/read-texts.ts';

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json';
const SCRIPT = 'text/javascript; charset=utf-8';

/** Folder of the browser's files. */
const UI = `${import.meta.dir}/../../../interfaces/ui`;

/** A file of the web page in the executable. */
export interface BundledFile {
  /** Relative to the page's own address; empty for its document. */
  readonly path: string;
  /** Language of a document, as a BCP 47 tag; absent for a file that is the same in all languages. */
  readonly language?: string;
  readonly contentType: string;
  /** The gzipped content in base64. */
  readonly gzipBase64: string;
}

/**
 * Bundles the web page. Runs at build time (a Bun macro), or at the first request if the program runs from its source.
 * Names below `assets/` contain a hash of their content, so they may be cached forever.
 *
 * @throws Error with the bundler's output if it fails
 */
export function bundlePage(): BundledFile[] {
  const languages = bundledLanguages();
  const digest = digestOf(JSON.stringify(languages));
  const scripts = bundledScripts(digest);
  const style = styleOf('app.css');
  const icon = named('icon.svg', 'image/svg+xml', read('icon.svg'));
  const touchIcon = pictureOf('touch-180.png');
  const consoleStyle = styleOf('console.css');
  const reader = named('reader.js', SCRIPT, bundle('reader/message-worker.ts', '--format=iife'));
  const document = readText('index.html')
    .replace('assets/app.js', scripts.find(({ path }) => path.startsWith('assets/app-'))?.path ?? '')
    .replace('assets/app.css', style.path)
    .replace('assets/icon.svg', icon.path)
    .replace('assets/touch-180.png', touchIcon.path)
    .replace('assets/reader.js', reader.path)
    .replace('assets/console.css', consoleStyle.path);
  return [
    ...documentsOf(document, languages),
    ...scripts,
    ...textFiles(languages, digest),
    reader,
    style,
    consoleStyle,
    icon,
    touchIcon,
    file('favicon.ico', 'image/x-icon', read('icons/favicon.ico')),
    styleOf('manual.css'),
    ...installedFiles(icon, languages),
  ];
}

/** Sections that the browser loads apart. */
const SECTIONS = ['page', 'mail', 'console'] as const;

/** A language with its texts. */
type BundledLanguage = ReturnType<typeof bundledLanguages>[number];

function bundledLanguages() {
  const texts = Object.entries(readTexts());
  return texts.map(([tag, one]) => ({ tag, direction: LANGUAGES[tag as LanguageTag].direction, ...one }));
}

/** The texts of each language, from which a reader loads what is needed: `loadTexts` in the browser knows their addresses. */
function textFiles(languages: readonly BundledLanguage[], digest: string): BundledFile[] {
  return languages.flatMap((one) =>
    SECTIONS.map((name) => file(`assets/${one.tag}-${name}-${digest}.json`, JSON_TYPE, JSON.stringify(one[name]))),
  );
}

/** The document for readers who prefer a language: it is in that language before its scripts run, and without them. */
function documentsOf(document: string, languages: readonly BundledLanguage[]): BundledFile[] {
  return languages.map(({ tag: language, direction: written, bare: { noScript } }) => {
    const direction = written === 'rtl' ? ' dir="rtl"' : '';
    const translated = document
      .replace('<html lang="en">', `<html lang="${language}"${direction}>`)
      .replace('<p class="card">', `<p class="card">${noScript}`);
    return { ...file('', HTML, translated), language };
  });
}

/** Returns the files for an installed page: manifest, icons, start page and service worker. */
function installedFiles(icon: BundledFile, languages: readonly BundledLanguage[]): BundledFile[] {
  const [small, large, maskable] = ['icon-192.png', 'icon-512.png', 'maskable-512.png'].map(pictureOf) as [
    BundledFile,
    BundledFile,
    BundledFile,
  ];
  const bare = Object.fromEntries(languages.map(({ tag, direction, bare }) => [tag, { direction, ...bare }]));
  const start = named('start.js', SCRIPT, bundle('installed/start.ts'));
  const document = readText('installed/start.html')
    .replace('assets/start.js', start.path)
    .replace('assets/icon.svg', icon.path);
  const manifest = manifestOf([
    { src: icon.path, sizes: 'any', type: icon.contentType },
    { src: small.path, sizes: '192x192', type: small.contentType },
    { src: large.path, sizes: '512x512', type: large.contentType },
    { src: maskable.path, sizes: '512x512', type: maskable.contentType, purpose: 'maskable' },
  ]);
  return [
    small,
    large,
    maskable,
    start,
    file('start', HTML, document),
    file('manifest.webmanifest', 'application/manifest+json', JSON.stringify(manifest)),
    file(
      'service-worker.js',
      SCRIPT,
      bundle('installed/service-worker.ts', `--define=BARE_TEXTS=${JSON.stringify(bare)}`),
    ),
  ];
}

/** The script of the page, and the parts that it loads when they are first needed, named by the bundler. */
function bundledScripts(digest: string): BundledFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'lurecheck-page-'));
  try {
    const names = ['--entry-naming=app-[hash].[ext]', '--chunk-naming=part-[hash].[ext]'];
    bundle('app.ts', '--splitting', ...names, `--outdir=${folder}`, `--define=TEXTS_DIGEST="${digest}"`);
    return readdirSync(folder)
      .toSorted()
      .map((name) => file(`assets/${name}`, SCRIPT, new Uint8Array(readFileSync(join(folder, name)))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the bundler's output. */
function bundle(entry: string, ...more: readonly string[]): string {
  // `Bun.build` would wait for the very bundler that waits for this macro. A script that is no module has no `import.meta`.
  const flags = ['build', '--minify', '--target=browser', '--format=esm', '--define=import.meta.url=""', ...more];
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, ...flags, `${UI}/${entry}`]);
  if (!success) throw new Error(`the web page could not be bundled: ${stderr.toString()}`);
  return stdout.toString();
}

/** A style sheet with all that it imports. */
const styleOf = (entry: string): BundledFile =>
  named(entry, 'text/css; charset=utf-8', withoutOtherLanguages(bundle(entry)));

/** Selectors that the bundler makes of a logical property: all languages of the world that are written from right to left. */
const RIGHT_TO_LEFT = /:(?:-webkit-any|-moz-any|is)\((?::lang\([a-z]+\),?)+\)/g;

/** Shortens a style by the languages that the page is not in, which are about a tenth of it, compressed. */
function withoutOtherLanguages(style: string): string {
  const ours = Object.entries(LANGUAGES).flatMap(([tag, { direction }]) =>
    direction === 'rtl' ? `:lang(${tag})` : [],
  );
  const rules = style.replace(RIGHT_TO_LEFT, ours.length === 1 ? ours.join() : `:is(${ours})`).split('}');
  // A rule was written for each name that browsers had for `:is`.
  return rules.filter((rule, at) => rule === '' || rule !== rules[at - 1]).join('}');
}

const pictureOf = (name: string): BundledFile => named(name, 'image/png', read(`icons/${name}`));

function named(entry: string, contentType: string, content: Content): BundledFile {
  const [, name, extension] = /^(.+)\.(\w+)$/.exec(entry) ?? [];
  return file(`assets/${name}-${digestOf(content)}.${extension}`, contentType, content);
}

const digestOf = (content: Content) => new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 12);

type Content = string | Uint8Array<ArrayBuffer>;

function file(path: string, contentType: string, content: Content): BundledFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const gzip = Bun.gzipSync(bytes, { library: 'libdeflate', level: 12 });
  return { path, contentType, gzipBase64: Buffer.from(gzip).toString('base64') };
}

function read(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(`${UI}/${name}`));
}

function readText(name: string): string {
  return readFileSync(`${UI}/${name}`, 'utf8');
}

/** An icon of the installed page, at an address relative to the manifest. */
interface ManifestIcon {
  readonly src: string;
  readonly sizes: string;
  readonly type: string;
  readonly purpose?: 'maskable';
}

/**
 * The web app manifest (W3C), with which browsers install the page and phones offer it in their share sheet. All addresses are
 * relative, so that it works below any base path.
 */
function manifestOf(icons: readonly ManifestIcon[]) {
  return {
    name: 'lurecheck',
    short_name: 'lurecheck',
    description: 'Is this link phishing?',
    start_url: 'start',
    scope: './',
    display: 'standalone',
    background_color: '#f6f6f3',
    theme_color: '#2a4d9c',
    categories: ['security', 'utilities'],
    icons,
    share_target: {
      action: 'share',
      method: 'POST',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  };
}
