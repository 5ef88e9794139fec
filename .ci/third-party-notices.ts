import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dir, '..');

/**
 * The notices of every package that the executable carries, of the runtime and of the data, as one text. Run when the
 * program is bundled, which is when the packages are at hand; the executable holds the text alone.
 */
export function thirdPartyNotices(): string {
  const notices = [...packageFolders(ROOT, new Map()).values()].map(noticeOf);
  return [runtimeNotice(), ...dataNotices(), ...notices.toSorted()].join(`\n${'-'.repeat(80)}\n`);
}

/** The folders of all packages that are needed at run time, by name and version. */
function packageFolders(folder: string, found: Map<string, string>): Map<string, string> {
  for (const name of Object.keys(readManifest(folder).dependencies ?? {})) {
    const installed = findPackage(folder, name);
    if (!installed) continue;
    const key = `${name}@${readManifest(installed).version}`;
    if (found.has(key)) continue;
    found.set(key, installed);
    packageFolders(installed, found);
  }
  return found;
}

/** Where an import of `name` out of `folder` leads, as Node resolves packages; null where it is not installed. */
function findPackage(folder: string, name: string): string | null {
  const candidate = join(folder, 'node_modules', name);
  if (existsSync(join(candidate, 'package.json'))) return candidate;
  return folder === dirname(folder) ? null : findPackage(dirname(folder), name);
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function noticeOf(folder: string): string {
  const { name, version, license } = readManifest(folder);
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text =
    file === undefined ? 'No licence text comes with the package.' : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version} (${license ?? 'see below'})\n\n${text.trim()}\n`;
}

function runtimeNotice(): string {
  return `Bun ${Bun.version} (MIT), which carries JavaScriptCore (LGPL-2.1) and further libraries: see https://bun.com/docs/project/license\n`;
}

/** Each table of facts names its source and licence: a JSON file in its members, the text file in its first lines. */
function dataNotices(): string[] {
  const tables = ['src/knowledge', 'src/url'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((entry) => entry.endsWith('.json'))
      .map((entry) => {
        const { source, retrieved, licence } = JSON.parse(readFileSync(join(ROOT, folder, entry), 'utf8'));
        return `Data: ${entry}, ${source}, retrieved ${retrieved} (${licence})\n`;
      }),
  );
  const popular = readFileSync(join(ROOT, 'src/knowledge/popular-sites.txt'), 'utf8').split('\n');
  const header = popular.filter((line) => line.startsWith('# ')).map((line) => `${line.slice(2)}\n`);
  return [...tables.toSorted(), `Data: popular-sites.txt\n${header.join('')}`];
}
