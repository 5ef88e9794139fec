import type { CertificateInfo } from '#src/network/certificate/info.ts';
import type { Brand, BrandTable } from '#src/core/knowledge/brands/brands.ts';
import type { Host } from '#src/core/url/host.ts';
import { certifiedHost } from '../certificate-name.ts';
import { brandNamesOf } from './brand-names.ts';

/** Certificates for more sites than this are a content network's, whose customers have nothing to do with each other. */
const MAX_SITES = 10;
/** A name that is no ordinary word. */
const SURE_WEIGHT = 0.8;

/**
 * The brands whose site a page stands on: by their own domains, or by a trusted certificate that also names one of these
 * domains or whose holder the authority has checked (OV and EV certificates carry an `O=`).
 */
export function ownersOfHost(host: Host, certificate: CertificateInfo | null, brands: BrandTable): ReadonlySet<Brand> {
  const owners = new Set(brands.ownersOf(host));
  if (certificate === null || !certificate.trusted) return owners;
  const named = certificate.sans.flatMap((name) => certifiedHost(name) ?? []);
  if (new Set(named.map(({ site }) => site)).size <= MAX_SITES) {
    for (const host of named) for (const brand of brands.ownersOf(host)) owners.add(brand);
  }
  const holder = /(?:^|, )O=((?:\\,|[^,])+)/.exec(certificate.subject)?.[1]?.replaceAll('\\,', ',') ?? '';
  for (const { brand, weight } of brandNamesOf(brands).find(holder)) if (weight >= SURE_WEIGHT) owners.add(brand);
  return owners;
}
