import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bundle-map.ts';

/** A table of facts, or a model, that the executable carries. */
export interface BundledData {
  /** Relative to the project's folder. */
  readonly path: string;
  /** Whose, from where. */
  readonly source: string;
  /** A day, or the days of its sources. */
  readonly retrieved: string;
  readonly licence: string;
}

/** Data of our own is every other file of the sources than code, statements, the manual and the sentences of reasons and pages. */
const DATA = /^src\/(?!.*\.(ts|lua|template)$|service\/manual\/|core\/languages\/|checks\/store\/statements\/)/;

/**
 * Where all data in a bundle is from, of when, and under what licence: tables say it in their members, the list of popular
 * sites in its first lines, models in their card.
 *
 * @param files of which the bundle has something, relative to `root`
 * @throws Error for a file that does not say it.
 */
export function bundledData(files: readonly string[], root = ROOT): BundledData[] {
  const own = files.filter((path) => DATA.test(path)).map((path) => describe(root, path));
  return files.some((path) => path.startsWith('node_modules/tldts/')) ? [...own, publicSuffixes(root)] : own;
}

/** Data within a package, whose own licence is of its code alone. */
function publicSuffixes(root: string): BundledData {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/tldts/package.json'), 'utf8'));
  return {
    path: 'node_modules/tldts',
    source: 'Public Suffix List (https://publicsuffix.org)',
    retrieved: `by the makers of tldts for its version ${version}`,
    licence: 'MPL-2.0',
  };
}

function describe(root: string, path: string): BundledData {
  if (path.startsWith('src/engine/models/')) return { path, ...modelCard(root) };
  const text = readFileSync(join(root, path), 'utf8');
  return { path, ...checked(path, path.endsWith('.json') ? JSON.parse(text) : firstLines(text)) };
}

/** `# key: value` at the beginning of a text; a key may come several times. */
function firstLines(text: string): Record<string, string> {
  const lines = text.slice(0, 4096).matchAll(/^# (\w+): (.+)$/gm);
  const values = Map.groupBy(lines, ([, key = '']) => key);
  return Object.fromEntries([...values].map(([key, found]) => [key, found.map(([, , value]) => value).join(' ')]));
}

function checked(path: string, { source, retrieved, licence }: Record<string, unknown>): Omit<BundledData, 'path'> {
  const day = retrieved ?? /\d{4}-\d{2}-\d{2}/.exec(String(source))?.[0];
  if (typeof source !== 'string' || typeof day !== 'string' || typeof licence !== 'string') {
    throw new Error(`${path} must say its source, the day and its licence`);
  }
  return { source, retrieved: day, licence };
}

/** What the models were made from: the card's table of sources, and the sentence on their days. */
function modelCard(root: string): Omit<BundledData, 'path'> {
  const card = readFileSync(join(root, 'src/engine/models/MODEL_CARD.md'), 'utf8');
  const data = /\n## Data\n(.*?)\n## /s.exec(card)?.[1] ?? '';
  const rows = [...data.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].filter(([row]) => !/^\| (source|---) /.test(row));
  const until = /up to (\d{4}-\d{2})/.exec(data)?.[1];
  if (rows.length === 0 || until === undefined) throw new Error('the model card must list sources, licences and days');
  const sources = rows.map(([, source, licence]) => `${source} (${licence})`).join('; ');
  return {
    source: `made by the lurecheck authors from rows of ${sources}`,
    retrieved: `rows up to ${until}`,
    licence: 'Apache-2.0',
  };
}
