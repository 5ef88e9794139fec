import { LOG_LEVELS } from '#src/base/logger.ts';
import { reread, type SettingRule, type SettingValues, setting } from '#src/base/setting.ts';
import { listOf, oneOf } from '#src/base/setting-kind.ts';
import { type ListenAddress, listenAddress } from './listen-address.ts';

const DEFAULT_LISTEN: ListenAddress = { kind: 'tcp', host: '127.0.0.1', port: 8080 };

/** What the operator decides about the process as a whole. */
export const PROGRAM_SETTINGS = {
  listen: setting(
    ['serve', 'healthcheck'],
    listOf(listenAddress),
    [DEFAULT_LISTEN],
    'Where to serve; port 0 picks a free one.',
  ),
  log_level: reread(
    setting(
      ['serve', 'check', 'log'],
      oneOf(LOG_LEVELS),
      'info',
      'The mildest diagnostics that are written to stderr; at debug also each look-up that failed, and why.',
    ),
  ),
};

/** The values of {@link PROGRAM_SETTINGS}. */
type ProgramSettings = SettingValues<typeof PROGRAM_SETTINGS>;

/** A service that nobody can reach is a mistake. */
export const LISTEN_RULE: SettingRule<ProgramSettings> = {
  between: ['listen'],
  problem: ({ listen }) => (listen.length === 0 ? 'listen is empty, but must name where to serve' : null),
};
