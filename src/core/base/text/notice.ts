/** Names of the states that need the operator; never renamed. */
export const NOTICE_CODES = [
  'log_damaged',
  'checks_spooled',
  'checks_waiting',
  'checks_refused',
  'private_checks_waiting',
  'private_checks_refused',
  'database_outdated',
  'node_name_taken',
  'fleet_not_followed',
  'pack_unusable',
  'pack_expired',
  'pack_key_revoked',
  'clock_behind',
  'clock_differs',
  'list_source_failed',
  'keys_unusable',
  'lists_unusable',
  'brands_unusable',
  'model_unusable',
  'packs_unusable',
  'named_list_unusable',
  'feeds_stale',
  'feeds_missing',
  'notifications_failed',
  'gate_unexamined',
  'milter_unexamined',
  'proxy_without_addresses',
  'proxy_without_previews',
  'proxy_asks_twice',
  'settings_refused',
  'rotation_failed',
  'limiter_unavailable',
  'limiter_outdated',
  'browser_unavailable',
  'browser_unguarded',
] as const;

/** A state of which the operator must know. */
export interface Notice {
  readonly code: (typeof NOTICE_CODES)[number];
  /** Values of the sentence, for one in another language. */
  readonly args: Readonly<Record<string, string | number>>;
  /** In a sentence in English, for everybody. */
  readonly text: string;
}

/** Creates a notice. */
export function notice(code: Notice['code'], text: string, args: Notice['args'] = {}): Notice {
  return { code, args, text };
}
