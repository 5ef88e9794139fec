import type { Status } from '#src/service/server/admin/answers/status-answer.ts';
import type { ConfigFor } from '../config.ts';
import type { ShownOrigins } from '../settings-shown.ts';

/** Settings that name networks of the operator. */
const NETWORKS = ['rate_limit_cidr', 'feed_peers', 'egress_allow', 'egress_deny'] as const;

const RETENTION = ['retention_days', 'retention_bytes', 'retention_rows'] as const;

/** Inputs of the checklist of a first installation. */
export interface ChecklistFacts {
  readonly config: ConfigFor<'serve'>;
  readonly origins: ShownOrigins;
  /** Number of configured brands. */
  readonly brands: number;
  readonly hasBackup: boolean;
}

/** Returns the steps of a first installation: a choice counts as made once a setting states it, even if it is the default. */
export function checklistOf({ config, origins, brands, hasBackup }: ChecklistFacts): Status['checklist'] {
  const isSet = (key: keyof typeof config) => (origins[key]?.source ?? 'default') !== 'default';
  const { tls_certificate, trusted_proxy, backup_at, log_database } = config;
  return [
    { code: 'own_brand', done: brands > 0 },
    { code: 'own_networks', done: NETWORKS.some((key) => config[key].length > 0) },
    { code: 'tls', done: tls_certificate !== null || trusted_proxy.length > 0 },
    { code: 'backup', done: backup_at !== null || hasBackup },
    // Of databases, their owner has set it there.
    { code: 'retention', done: log_database.length > 0 || RETENTION.some(isSet) },
    { code: 'history_access', done: isSet('public_history') },
  ];
}
