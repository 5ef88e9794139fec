import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatCidr } from '#src/core/base/addresses/ip.ts';
import { formatEndpoint } from '#src/network/egress/endpoint.ts';
import { formatSuffixServer } from '#src/network/registry/suffix-server.ts';
import type { Internet } from '#test/support/internet.ts';

/**
 * Writes the settings with which lurecheck reaches a small internet and trusts its authority, and gives the file's path.
 */
export async function writeConfigFile({ authority, egress, registries }: Internet, directory: string): Promise<string> {
  const authorityPath = join(directory, 'authority.pem');
  await writeFile(authorityPath, authority.pem);
  const settings = {
    dns_server: (egress.dns_server ?? []).map(formatEndpoint),
    egress_allow: (egress.egress_allow ?? []).map(formatCidr),
    egress_port: egress.egress_port ?? [],
    egress_name: egress.egress_name ?? [],
    egress_ca: authorityPath,
    rdap_server: registries.rdap_server.map(formatSuffixServer),
    whois_server: registries.whois_server.map(formatSuffixServer),
  };
  const path = join(directory, 'lab.toml');
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  await writeFile(path, lines.join(''));
  return path;
}
