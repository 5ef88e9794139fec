import { formatCidr } from '#src/base/ip.ts';
import { formatEndpoint } from '#src/egress/endpoint.ts';
import type { Internet } from '#test/support/internet.ts';

/** The settings, as a TOML file, with which lurecheck reaches a small internet and trusts its authority. */
export function configFileFor({ egress, registries }: Internet, authorityPath: string): string {
  const settings = {
    dns_server: (egress.dnsServer ?? []).map(formatEndpoint),
    egress_allow: (egress.egressAllow ?? []).map(formatCidr),
    egress_port: egress.egressPort ?? [],
    egress_name: egress.egressName ?? [],
    egress_ca: authorityPath,
    rdap_server: registries.rdapServer.map(({ suffix, server }) => `${suffix}=${server}`),
    whois_server: registries.whoisServer.map(({ suffix, server }) => `${suffix}=${server}`),
  };
  return Object.entries(settings)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
    .join('');
}
