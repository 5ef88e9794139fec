import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { ROOT } from './bundle-map.ts';
import type { BundledPackage } from './bundled-packages.ts';
import type { BundledData } from './data.ts';
import type { Inventory } from './notices.ts';
import type { RuntimeComponent } from './runtime.ts';

/** The project itself, as the bill names it. */
const SUBJECT = `pkg:npm/${manifest.name}@${manifest.version}`;
const RUNTIME = `pkg:npm/bun@${Bun.version}`;

/**
 * The bill of materials as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), the same for the same source: without a
 * time and a serial number, which the standard leaves optional.
 */
export function composeSbom({ packages, runtime, data }: Inventory): string {
  const [bun, ...linked] = runtime.components;
  if (bun?.name !== 'Bun') throw new Error('runtime.tsv must begin with Bun itself');
  const bundled = packages.map(packageComponent);
  const parts = linked.map(runtimeComponent);
  const tables = data.map(dataComponent);
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': SUBJECT,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        licenses: [{ license: { id: manifest.license } }],
        copyright: 'Copyright 2026 The lurecheck authors',
        purl: SUBJECT,
      },
    },
    components: [
      ...bundled,
      { ...runtimeComponent(bun), type: 'platform', 'bom-ref': RUNTIME, version: Bun.version, purl: RUNTIME },
      ...parts,
      ...tables,
    ],
    dependencies: [
      { ref: SUBJECT, dependsOn: [...refs(bundled), RUNTIME, ...refs(tables)] },
      { ref: RUNTIME, dependsOn: refs(parts) },
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

const refs = (components: readonly { readonly 'bom-ref': string }[]) => components.map((one) => one['bom-ref']);

function packageComponent({ name, version, licence }: BundledPackage) {
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    hashes: [{ alg: 'SHA-512', content: lockedSha512(name, version) }],
    licenses: licensesOf(licence),
    purl,
  };
}

/** What the lock file says of the archive that the package was unpacked from, in hexadecimal. */
function lockedSha512(name: string, version: string): string {
  const lines = readFileSync(join(ROOT, 'bun.lock'), 'utf8').split('\n');
  const line = lines.find((one) => one.includes(`["${name}@${version}"`));
  const base64 = /"sha512-([\w+/=]+)"/.exec(line ?? '')?.[1];
  if (base64 === undefined) throw new Error(`bun.lock has no SHA-512 of ${name} ${version}`);
  return Buffer.from(base64, 'base64').toString('hex');
}

function runtimeComponent({ name, licence, copyright, source }: RuntimeComponent) {
  return {
    type: 'library',
    'bom-ref': `runtime:${source}`,
    name,
    licenses: licensesOf(licence),
    ...(copyright === null ? {} : { copyright }),
    externalReferences: [{ type: 'vcs', url: source }],
  };
}

function dataComponent({ path, source, retrieved, licence }: BundledData) {
  return {
    type: 'data',
    'bom-ref': `data:${path}`,
    name: path,
    description: `${source}, retrieved ${retrieved}`,
    licenses: [{ license: { name: licence } }],
  };
}

/** A single licence by its identifier, several as an expression. */
const licensesOf = (licence: string) =>
  / (?:AND|OR|WITH) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];
