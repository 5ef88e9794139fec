import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatCidr } from '#src/base/ip.ts';
import { formatEndpoint } from '#src/egress/endpoint.ts';
import type { Internet } from '#test/support/internet.ts';

/**
 * Writes the settings with which lurecheck reaches a small internet and trusts its authority, and gives the file's path.
 */
export async function writeConfigFile({ authority, egress, registries }: Internet, directory: string): Promise<string> {
  const authorityPath = join(directory, 'authority.pem');
  await writeFile(authorityPath, authority.pem);
  const settings = {
    dns_server: (egress.dnsServer ?? []).map(formatEndpoint),
    egress_allow: (egress.egressAllow ?? []).map(formatCidr),
    egress_port: egress.egressPort ?? [],
    egress_name: egress.egressName ?? [],
    egress_ca: authorityPath,
    rdap_server: registries.rdapServer.map(({ suffix, server }) => `${suffix}=${server}`),
    whois_server: registries.whoisServer.map(({ suffix, server }) => `${suffix}=${server}`),
  };
  const path = join(directory, 'lab.toml');
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  await writeFile(path, lines.join(''));
  return path;
}
