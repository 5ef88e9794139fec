import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';

/** Files beside a saved page that it may load. */
const ASSETS = new Set('.css .js .mjs .png .jpg .jpeg .gif .webp .svg .ico .avif .woff .woff2 .ttf .otf'.split(' '));

/** Serves a saved page, and what it loads from its folder and those below, on loopback. */
export function serveSavedPage(path: string, page: Uint8Array, contentType: string | null) {
  const folder = dirname(resolve(path));
  const name = `/${encodeURIComponent(basename(path))}`;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch({ url }) {
      const { pathname } = new URL(url);
      if (pathname === name) {
        return new Response(new Uint8Array(page), { headers: { 'content-type': contentType ?? 'text/html' } });
      }
      const file = await assetIn(folder, pathname);
      return file === null ? new Response(null, { status: 404 }) : new Response(Bun.file(file));
    },
  });
  const port = server.port ?? 0;
  return {
    url: `http://127.0.0.1:${port}${name}`,
    port,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Returns the file of a path below a folder; null for one that leads out of it, or is of another kind. */
async function assetIn(folder: string, pathname: string): Promise<string | null> {
  try {
    const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, decodeURIComponent(pathname)))]);
    return file.startsWith(root + sep) && ASSETS.has(extname(file).toLowerCase()) ? file : null;
  } catch {
    return null;
  }
}
