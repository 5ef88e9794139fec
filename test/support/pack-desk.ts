import { createPublicKey, type KeyObject } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fingerprintOf } from '#src/core/base/public-key.ts';
import fusion from '#src/engine/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/engine/models/lexical.bin' with { type: 'file' };
import { lurecheck } from './executable.ts';
import { publisherKey } from './packs.ts';

/** Thresholds by which nearly everything is warned of. */
export const THRESHOLDS = { 'thresholds.json': '{"warn": 0.000001, "block": 0.999}' };

/** A brand of nobody. */
export const BRANDS = {
  'brands.json': JSON.stringify({
    version: 1,
    brands: [{ name: 'Nordwerk', domains: ['nordwerk.example'], pages: [] }],
  }),
};

/** A model that warns of nearly everything; half of it is that of the program. */
export const STRICT = {
  'model/lexical.bin': readFileSync(lexicalPath),
  'model/fusion.json': JSON.stringify({ ...fusion, name: 'strict', thresholds: { warn: 0.000001, block: 0.999999 } }),
};

/** A day that no test outlives. */
const LATER = '2099-12-31';

/** A publisher's desk beside a box, in a folder of their own. */
export function packDesk(folder: string) {
  const dataDir = join(folder, 'data');
  const pack = (...args: string[]) => lurecheck(['pack', ...args, '--data-dir', dataDir]);
  const keyFile = (name: string, key: KeyObject = publisherKey()) => {
    writeFileSync(join(folder, `${name}.key`), key.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(join(folder, `${name}.pem`), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
    return { name, fingerprint: fingerprintOf(createPublicKey(key)) };
  };
  const build = async (
    about: object,
    files: Record<string, string | Uint8Array>,
    key = 'acme',
    environment: Record<string, string> = {},
  ) => {
    const source = join(folder, `source-${readdirSync(folder).length}`);
    const said = { name: 'acme-bank', version: 1, expires: LATER, publisher: 'Acme', ...about };
    mkdirSync(source);
    writeFileSync(join(source, 'pack.json'), JSON.stringify(said));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(source, name)), { recursive: true });
      writeFileSync(join(source, name), text);
    }
    const output = join(folder, `${said.name}-${said.version}-${readdirSync(folder).length}.pack`);
    const command = ['pack', 'build', source, '--key', join(folder, `${key}.key`), '--output', output];
    const { exitCode, stderr } = await lurecheck([...command, '--data-dir', dataDir], { environment });
    if (exitCode !== 0) throw new Error(stderr);
    return output;
  };
  const trust = (key: { name: string; fingerprint: string }) =>
    pack('trust', join(folder, `${key.name}.pem`), '--name', key.name, '--fingerprint', key.fingerprint.slice(0, 20));
  const list = async () => JSON.parse((await pack('list', '--format', 'json')).stdout);
  const inForce = async () =>
    (await list()).flatMap((one: { name: string; version: number; in_force: boolean }) =>
      one.in_force ? [`${one.name} ${one.version}`] : [],
    );
  const check = async (url: string) => {
    const { stdout, stderr } = await lurecheck([
      'check',
      url,
      '--network',
      'none',
      '--format',
      'json',
      '--data-dir',
      dataDir,
    ]);
    if (stdout === '') throw new Error(stderr);
    const { decision, analysis_details: details } = JSON.parse(stdout);
    return { decision, version: details.model_version as string, thresholds: details.thresholds };
  };
  return { folder, dataDir, pack, keyFile, build, trust, list, inForce, check };
}
