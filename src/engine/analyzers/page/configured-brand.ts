import { Type } from '@sinclair/typebox';
import type { CodedError } from '#src/core/base/errors/operation-error.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { type Host, parseHost, suffixesOf } from '#src/core/url/host.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { fingerprintPage, type PageFingerprint } from './page-fingerprint.ts';

/** A brand that the operator configured, with its domains and the fingerprints of its pages. */
export interface ConfiguredBrand {
  readonly name: string;
  /** Hosts in canonical form, each with its subdomains. */
  readonly domains: readonly string[];
  readonly pages: readonly PageFingerprint[];
}

/** A configured brand is invalid or cannot be read; the message says what to change. */
export class ConfiguredBrandError extends Error implements CodedError {
  override readonly name = 'ConfiguredBrandError';
  readonly errorCode = 'brand_refused';

  get clientText(): string {
    return `cannot be used: ${this.message}`;
  }
}

const VERSION = 1;

const Texts = Type.Array(Type.String());

const ConfiguredBrandFile = Type.Object({
  version: Type.Literal(VERSION),
  brands: Type.Array(
    Type.Object({
      name: Type.String(),
      domains: Texts,
      pages: Type.Array(
        Type.Object({
          titleWords: Texts,
          fieldKinds: Texts,
          fieldNames: Texts,
          assetNames: Texts,
          textSketch: Type.Array(Type.Number()),
        }),
      ),
    }),
  ),
});

const MAX_NAME_CHARACTERS = 80;

/**
 * Returns the brands with one added. Domains and pages are added to those of a known brand. Throws a {@link
 * ConfiguredBrandError}.
 */
export function addConfiguredBrand(
  known: readonly ConfiguredBrand[],
  name: string,
  domains: readonly string[],
  pages: readonly PageDocument[],
): ConfiguredBrand[] {
  const plain = name.trim();
  if (plain === '' || plain.length > MAX_NAME_CHARACTERS) {
    throw new ConfiguredBrandError(`the name of a brand must have 1 to ${MAX_NAME_CHARACTERS} characters`);
  }
  const before = known.find((brand) => brand.name.toLowerCase() === plain.toLowerCase());
  const hosts = new Set([...(before?.domains ?? []), ...domains.map(readDomain)]);
  if (hosts.size === 0)
    throw new ConfiguredBrandError(`the brand ${plain} needs at least one domain: --domain example.com`);
  const brand: ConfiguredBrand = {
    name: before?.name ?? plain,
    domains: [...hosts].sort(),
    pages: [...(before?.pages ?? []), ...pages.map(fingerprintPage)],
  };
  return [...known.filter((other) => other !== before), brand].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readDomain(text: string): string {
  const host = parseHost(text.trim());
  if (host === null)
    throw new ConfiguredBrandError(`${JSON.stringify(text)} is not a domain: write it like example.com`);
  if (host.kind === 'name' && host.suffix === host.text) {
    throw new ConfiguredBrandError(`${JSON.stringify(text)} is a public suffix; use a registered domain`);
  }
  return host.text;
}

/** Returns the text of the file of configured brands. */
export function formatConfiguredBrands(brands: readonly ConfiguredBrand[]): string {
  return `${JSON.stringify({ version: VERSION, brands })}\n`;
}

/** Parses what {@link formatConfiguredBrands} returns. Throws a {@link ConfiguredBrandError} for any other text. */
export function parseConfiguredBrands(text: string): ConfiguredBrand[] {
  const shaped = readShape(ConfiguredBrandFile, parseJson(text));
  if ('value' in shaped) return shaped.value.brands;
  throw new ConfiguredBrandError(`cannot read the configured brands: ${shaped.problem}; add the brands again`);
}

/** Returns true if a host is one of the brand's domains or below one. */
export function isOnBrandDomain(brand: ConfiguredBrand, host: Host): boolean {
  return suffixesOf(host).some((name) => brand.domains.includes(name));
}
