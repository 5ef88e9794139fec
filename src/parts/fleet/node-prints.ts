import { brandsFileIn } from '#src/admin/active/configured-brands-file.ts';
import { readPackState } from '#src/admin/active/pack-state.ts';
import { readKeyFile } from '#src/admin/keys/api-key.ts';
import type { ConfigFor } from '#src/app/config.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readIfExists } from '#src/core/base/files/locked-file.ts';
import type { NodePrints } from '#src/parts/postgres/nodes/nodes.ts';

/** Hexadecimal digits of a print: enough to distinguish the nodes of a fleet. */
const SHOWN = 12;

/** Settings that may differ between the nodes of a fleet, or that hold passwords: addresses, files, databases. */
const OWN_SETTINGS: ReadonlySet<string> = new Set<keyof ConfigFor<'serve'>>([
  'listen',
  'admin_listen',
  'reuse_port',
  'tls_certificate',
  'tls_key',
  'host',
  'base_path',
  'trusted_proxy',
  'data_dir',
  'pack_dir',
  'node_name',
  'client_key_file',
  'block_list',
  'allow_list',
  'log_database',
  'log_database_private',
  'log_spool',
  'log_spool_rows',
  'limiter',
  'syslog',
  'log_level',
  'egress_ca',
  'dns_server',
  'egress_proxy',
  'stop_delay_seconds',
]);

/**
 * Computes fingerprints of data that should be equal on all nodes. A fingerprint does not reveal its input.
 *
 * @param clientKey the key in `client_key_file`; null if the node has its own
 */
export function nodePrints(config: ConfigFor<'serve'>, clientKey: Buffer | null): NodePrints {
  const { data_dir: dataDir } = config;
  const ofFile = (make: () => string | null) => {
    const text = readable(make);
    return text === null ? '' : printOf(text);
  };
  return {
    client_key: clientKey === null ? '' : printOf(clientKey),
    keys: ofFile(() => textOf(readKeyFile(dataDir))),
    brands: ofFile(() => readIfExists(brandsFileIn(dataDir), 'brands')),
    packs: ofFile(() => {
      const { publishers, active } = readPackState(dataDir);
      const trusted = publishers.filter(({ revoked }) => revoked === null).map(({ fingerprint }) => fingerprint);
      return textOf(
        [...trusted, ...active.map(({ name, version, print }) => `${name} ${version} ${print}`)].toSorted(),
      );
    }),
    settings: printOf(settingsText(config)),
  };
}

function printOf(what: string | Buffer): string {
  return new Bun.CryptoHasher('sha256').update('lurecheck print ').update(what).digest('hex').slice(0, SHOWN);
}

/** Null for an empty list: who has none has no print. */
function textOf(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list);
}

/** A file that cannot be read differs from all others. */
function readable(make: () => string | null): string | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof OperationError) return `unreadable: ${error.message}`;
    throw error;
  }
}

function settingsText(config: ConfigFor<'serve'>): string {
  const shared = Object.entries(config).filter(([name]) => !OWN_SETTINGS.has(name));
  return JSON.stringify(shared.toSorted(), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
