import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the browser's files are. */
const UI = `${import.meta.dir}/../../ui`;

/** One file of the web page as the executable carries it. */
export interface BundledFile {
  /** Relative to the page's own address; empty for its document. */
  readonly path: string;
  readonly contentType: string;
  /** The gzipped content in base64. */
  readonly gzipBase64: string;
}

/**
 * Bundles the web page. Runs while the program that serves it is built (a Bun macro), and once at the first request
 * where that program runs from its source. File names hold a hash of their content, so they may be kept for ever.
 *
 * @throws Error with the bundler's output where it failed.
 */
export function bundlePage(): BundledFile[] {
  const scripts = bundledScripts();
  const style = styleOf('app.css');
  const icon = named('icon.svg', 'svg', 'image/svg+xml', readText('icon.svg'));
  const document = readText('index.html')
    .replace('assets/app.js', scripts.find(({ path }) => path.startsWith('assets/app-'))?.path ?? '')
    .replace('assets/app.css', style.path)
    .replace('assets/icon.svg', icon.path);
  return [file('', 'text/html; charset=utf-8', document), ...scripts, style, icon, styleOf('manual.css')];
}

/** The script of the page, and the parts that it loads when they are first needed, named by the bundler. */
function bundledScripts(): BundledFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'lurecheck-page-'));
  try {
    const names = ['--entry-naming=app-[hash].[ext]', '--chunk-naming=part-[hash].[ext]'];
    bundle('app.ts', '--splitting', ...names, `--outdir=${folder}`);
    return readdirSync(folder)
      .toSorted()
      .map((name) =>
        file(`assets/${name}`, 'text/javascript; charset=utf-8', readFileSync(join(folder, name), 'utf8')),
      );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the bundler prints. */
function bundle(entry: string, ...more: readonly string[]): string {
  // `Bun.build` would wait for the very bundler that waits for this macro.
  const flags = ['build', '--minify', '--target=browser', '--format=esm', ...more];
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, ...flags, `${UI}/${entry}`]);
  if (!success) throw new Error(`the web page could not be bundled: ${stderr.toString()}`);
  return stdout.toString();
}

/** A style sheet with all that it imports. */
const styleOf = (entry: string): BundledFile => named(entry, 'css', 'text/css; charset=utf-8', bundle(entry));

function named(entry: string, extension: string, contentType: string, content: string): BundledFile {
  const [name] = entry.split('.');
  const digest = new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 12);
  return file(`assets/${name}-${digest}.${extension}`, contentType, content);
}

function file(path: string, contentType: string, content: string): BundledFile {
  const gzip = Bun.gzipSync(new TextEncoder().encode(content), { library: 'libdeflate', level: 12 });
  return { path, contentType, gzipBase64: Buffer.from(gzip).toString('base64') };
}

function readText(name: string): string {
  return readFileSync(`${UI}/${name}`, 'utf8');
}
