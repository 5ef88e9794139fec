import { reread, type SettingRule, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { orNone, yesOrNo } from '#src/core/base/settings/setting-kind.ts';
import { syslogAddress } from './address.ts';

/** What the operator decides about what a log server is told. */
export const SYSLOG_SETTINGS = {
  syslog: setting(
    ['serve'],
    orNone(syslogAddress),
    null,
    'Syslog server that is told what the process tells on stdout, as mild as log_level says (RFC 5424; over a unix socket as syslog(3) writes).',
  ),
  syslog_checks: reread(
    setting(
      ['serve'],
      yesOrNo,
      false,
      'Whether it is told of each check as well; of a private one that it happened and how it ended, but not of what.',
    ),
  ),
};

/** The values of {@link SYSLOG_SETTINGS}. */
export type SyslogSettings = SettingValues<typeof SYSLOG_SETTINGS>;

/** Who wants checks told must say to whom. */
export const SYSLOG_RULE: SettingRule<SyslogSettings> = {
  between: ['syslog', 'syslog_checks'],
  problem: ({ syslog, syslog_checks: checks }) =>
    checks && syslog === null ? 'syslog_checks is set, but syslog is not' : null,
};
