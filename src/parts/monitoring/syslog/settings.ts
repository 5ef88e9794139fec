import { reloadable, type SettingRule, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import { booleanValue, orNone } from '#src/core/base/settings/setting-kind.ts';
import { syslogAddress } from './address.ts';

/** Settings of the log server. */
export const SYSLOG_SETTINGS = {
  syslog: setting(
    ['serve'],
    orNone(syslogAddress),
    null,
    'Syslog server (RFC 5424, or syslog(3) on a unix socket) that receives the events of stdout, from log_level on.',
  ),
  syslog_checks: tuning(
    reloadable(
      setting(
        ['serve'],
        booleanValue,
        false,
        'Send each check to syslog, too. Of a private check it names time and outcome, not the URL.',
      ),
    ),
  ),
};

/** The values of {@link SYSLOG_SETTINGS}. */
export type SyslogSettings = SettingValues<typeof SYSLOG_SETTINGS>;

/** `syslog_checks` requires `syslog`. */
export const SYSLOG_RULE: SettingRule<SyslogSettings> = {
  between: ['syslog', 'syslog_checks'],
  problem: ({ syslog, syslog_checks: checks }) =>
    checks && syslog === null ? 'syslog_checks is set, but syslog is not' : null,
};
