import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { bundleMap, ROOT } from '../../.ci/licences/bundle-map.ts';
import { filesIn, packagesIn } from '../../.ci/licences/bundled-packages.ts';
import { bundledData } from '../../.ci/licences/data.ts';
import { licenceDocuments } from '../../.ci/licences/licence-documents.ts';
import { licencesIn, licenceText } from '../../.ci/licences/licence-text.ts';
import { composeNotices } from '../../.ci/licences/notices.ts';
import { packageNotice } from '../../.ci/licences/package-notice.ts';
import { readRuntime } from '../../.ci/licences/runtime.ts';
import manifest from '../../package.json' with { type: 'json' };

const MIT = { name: 'left-pad', version: '1.0.0', license: 'MIT' };

/** A folder with one package in `node_modules`. */
function project(path: string, manifestOfPackage: object, files: Readonly<Record<string, string>> = {}): string {
  const folder = join(path, 'node_modules/left-pad');
  mkdirSync(folder, { recursive: true });
  const all = { 'package.json': JSON.stringify(manifestOfPackage), ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  return folder;
}

/** What the bundler would say of these files, with as many bytes of each. */
const mapOf = (inputs: Readonly<Record<string, number>>) => ({
  outputs: {
    './main.js': {
      inputs: Object.fromEntries(Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }])),
    },
  },
});

describe('the packages in a bundle', () => {
  test('are those with at least one byte in it, wherever they are installed, each once', async () => {
    await using directory = temporaryDirectory();
    project(directory.path, MIT);
    project(join(directory.path, 'node_modules/@a/b'), { ...MIT, version: '2.0.0' });
    const map = mapOf({
      'src/main.ts': 10,
      'node_modules/left-pad/index.js': 5,
      'node_modules/left-pad/lib/more.js': 1,
      'node_modules/@a/b/node_modules/left-pad/index.js': 3,
      'node_modules/shaken-off/index.js': 0,
    });
    const found = packagesIn(map, directory.path).map(({ name, version, licence }) => [name, version, licence]);
    expect(found).toEqual([
      ['left-pad', '1.0.0', 'MIT'],
      ['left-pad', '2.0.0', 'MIT'],
    ]);
  });

  test('must state their licence', async () => {
    await using directory = temporaryDirectory();
    project(directory.path, { name: 'left-pad', version: '1.0.0' });
    expect(() => packagesIn(mapOf({ 'node_modules/left-pad/index.js': 5 }), directory.path)).toThrow('licence');
  });

  test('of this program are its imports and what they bundle, including files that are embedded whole', () => {
    const names = packagesIn(bundleMap(), ROOT).map(({ name }) => name);
    for (const name of [...Object.keys(manifest.dependencies), 'file-type', 'strtok3', 'debug', 'ms', 'ieee754']) {
      expect(names).toContain(name);
    }
    for (const name of ['type-fest', 'openapi-types', '@unhead/schema', 'typescript'])
      expect(names).not.toContain(name);
  });
});

describe('the notice of a package', () => {
  const one = { name: 'left-pad', version: '1.0.0', licence: 'MIT' };

  test('contains every licence text and notice of the package', async () => {
    await using directory = temporaryDirectory();
    const files = {
      'LICENSE.md': 'may be used',
      NOTICE: 'made by A',
      'x.js.LICENSE.txt': 'holds B',
      'README.md': 'no',
    };
    const notice = packageNotice({ ...one, folder: project(directory.path, MIT, files) });
    for (const text of ['left-pad 1.0.0 (MIT)', 'may be used', 'made by A', 'holds B']) expect(notice).toContain(text);
    expect(notice).not.toContain('README');
  });

  test('fails if the package has no licence text, unless its licence has a standard text', async () => {
    await using directory = temporaryDirectory();
    const folder = project(directory.path, MIT, { NOTICE: 'made by A' });
    expect(() => packageNotice({ ...one, folder })).toThrow('left-pad 1.0.0 (MIT) brings no licence text');
    const apache = packageNotice({ ...one, licence: 'Apache-2.0', folder });
    for (const text of ['TERMS AND CONDITIONS', 'made by A']) expect(apache).toContain(text);
  });
});

describe('the list of components in the runtime', () => {
  test('must be of the Bun version of the build, and otherwise stops the build', () => {
    expect(() => readRuntime('# bun: 1.0.0\n', '1.0.1')).toThrow('Bun 1.0.1');
  });

  test('has a text for each licence, and no choice between two', () => {
    const { components } = readRuntime();
    for (const { licence } of components) for (const id of licencesIn(licence)) licenceText(id);
    expect(() => licencesIn('MIT OR Apache-2.0')).toThrow('choose');
    expect(() => licenceText('Beerware')).toThrow('no text');
  });

  test('names the copyright holders if a licence requires it', () => {
    const nameless = readRuntime().components.filter(({ copyright }) => copyright === null);
    const unnamed = nameless.flatMap(({ licence }) => licencesIn(licence));
    expect([...new Set(unnamed)].toSorted()).toEqual(['Apache-2.0', 'LLVM-exception', 'MPL-2.0', 'blessing']);
  });
});

describe('bundled data', () => {
  test('states its source, date and licence, or stops the build', async () => {
    await using directory = temporaryDirectory();
    const write = (path: string, text: string) => writeFileSync(join(directory.path, 'src', path), text);
    for (const room of ['core/knowledge', 'core/url', 'engine/models'])
      mkdirSync(join(directory.path, 'src', room), { recursive: true });
    const [sites, table, model] = [
      'src/core/knowledge/sites.txt',
      'src/core/url/table.json',
      'src/engine/models/model.bin',
    ];
    write('core/knowledge/sites.txt', '# source: A list (2026-01-31)\n# licence: CC0\na.example\n');
    expect(bundledData(['src/main.ts', sites, 'package.json'], directory.path)).toEqual([
      { path: sites, source: 'A list (2026-01-31)', retrieved: '2026-01-31', licence: 'CC0' },
    ]);
    write('core/url/table.json', '{"source": "B", "licence": "CC0"}');
    expect(() => bundledData([table], directory.path)).toThrow(table);
    write('engine/models/MODEL_CARD.md', '\n## Data\n\nRows up to 2026-05.\n\n## Protocol\n');
    expect(() => bundledData([model], directory.path)).toThrow('model card');
  });

  test('is listed wherever it is bundled from', () => {
    const paths = bundledData(filesIn(bundleMap())).map(({ path }) => path);
    const some = [
      'src/core/url/confusables.json',
      'src/core/knowledge/hosts/popular-sites.txt',
      'src/engine/models/lexical.bin',
    ];
    expect(paths).toEqual(expect.arrayContaining([...some, 'node_modules/tldts']));
  });
});

describe('the notices', () => {
  const { notices, sbom } = licenceDocuments();

  test('contain the complete LGPL, how its libraries can be exchanged, and where their source is', () => {
    for (const text of [
      'GNU LESSER GENERAL PUBLIC LICENSE',
      'END OF TERMS AND CONDITIONS',
      'bun run build --runtime',
    ]) {
      expect(notices).toContain(text);
    }
    for (const name of ['webkit', 'tinycc']) expect(notices).toContain(`${process.versions[name]}`);
  });

  test('contain the notice of Swagger UI and of what it bundles, but not of builds that are not included', () => {
    for (const text of ['NOTICE:', 'swagger-ui-bundle.js.LICENSE.txt:', 'DOMPurify']) expect(notices).toContain(text);
    expect(notices).not.toContain('standalone-preset');
  });

  test('fail for a component under a licence without a text', () => {
    const runtime = { about: [], components: [{ name: 'Bun', licence: 'Beerware', copyright: null, source: 'x' }] };
    expect(() => composeNotices({ packages: [], runtime, data: [] })).toThrow('Beerware');
  });

  test('and the bill of materials list the same packages, and are reproducible', () => {
    const { components } = JSON.parse(sbom) as { components: { purl?: string; name: string; version?: string }[] };
    const documents = components.filter(({ purl }) => purl !== undefined && !purl.startsWith('pkg:npm/bun@'));
    expect(documents.length).toBe(packagesIn(bundleMap(), ROOT).length);
    for (const { name, version } of documents) expect(notices).toContain(`${name} ${version} (`);
    expect(licenceDocuments()).toEqual({ notices, sbom });
  });

  test('and the bill of materials is valid CycloneDX 1.6', async () => {
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(sbom)).toBeNull();
    const twice = sbom.replace('"bomFormat"', '"bomFormats"');
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(twice)).not.toBeNull();
  });
});
