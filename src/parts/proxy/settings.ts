import type { SettingRule, SettingValues } from '#src/core/base/settings/setting.ts';
import { GATE_SETTINGS } from '#src/parts/proxy/gate/settings.ts';
import { ICAP_SETTINGS } from '#src/parts/proxy/icap/settings.ts';

const TABLE = { ...ICAP_SETTINGS, ...GATE_SETTINGS };

/** ICAP over TLS uses the certificate of the service. */
const TLS_RULE: SettingRule<SettingValues<typeof TABLE> & { readonly tls_certificate: string | null }> = {
  between: ['icap_tls_listen', 'tls_certificate'],
  problem: ({ icap_tls_listen: addresses, tls_certificate: certificate }) =>
    addresses.length > 0 && certificate === null ? 'icap_tls_listen is set, but tls_certificate is not' : null,
};

/** Settings of web proxies. */
export const PROXY_SETTINGS = { tables: { 'Web proxies': TABLE }, rules: [TLS_RULE] };
