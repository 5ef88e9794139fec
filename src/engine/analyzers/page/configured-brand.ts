import { Type } from '@sinclair/typebox';
import type { CodedError } from '#src/core/base/errors/operation-error.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { type Host, parseHost, suffixesOf } from '#src/core/url/host.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import type { IconPrint, PageLook } from '#src/network/probes/page-visit.ts';
import { fingerprintPage, type PageFingerprint } from './page-fingerprint.ts';

/** A page of the operator as a browser showed it. */
export interface OwnLook extends PageLook {
  /** Name of its picture in the data directory; null if none is kept. */
  readonly picture: string | null;
}

/** A brand that the operator configured, with its domains and the fingerprints of its pages. */
export interface ConfiguredBrand {
  readonly name: string;
  /** Hosts in canonical form, each with its subdomains. */
  readonly domains: readonly string[];
  readonly pages: readonly PageFingerprint[];
  /** Absent for a brand of an earlier version, as `icons` is. */
  readonly looks?: readonly OwnLook[];
  readonly icons?: readonly IconPrint[];
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

const Boxes = Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()]));
const Hex = (length: number) => Type.String({ pattern: `^(?:[0-9a-f]{${length}})?$` });

const Looks = Type.Array(
  Type.Object({
    width: Type.Number(),
    height: Type.Number(),
    fields: Boxes,
    buttons: Boxes,
    colours: Hex(128),
    edges: Hex(640),
    picture: Type.Union([Type.String({ pattern: '^own-[0-9a-f]{16}$' }), Type.Null()]),
  }),
);

const Icons = Type.Array(Type.Object({ sha256: Type.String(), shape: Type.Union([Hex(224), Type.Null()]) }));

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
      looks: Type.Optional(Looks),
      icons: Type.Optional(Icons),
    }),
  ),
});

const MAX_NAME_CHARACTERS = 80;

/** Maximum number of looks and icons of a brand, the latest: each page is compared with all. */
const MAX_PRINTS = 16;

/** How pages of a brand look. */
export interface BrandPrints {
  readonly looks: readonly OwnLook[];
  readonly icons: readonly IconPrint[];
}

const NO_PRINTS: BrandPrints = { looks: [], icons: [] };

/**
 * Returns the brands with one added. Domains and pages are added to those of a known brand. Throws a {@link
 * ConfiguredBrandError}.
 */
export function addConfiguredBrand(
  known: readonly ConfiguredBrand[],
  name: string,
  domains: readonly string[],
  pages: readonly PageDocument[],
  { looks, icons }: BrandPrints = NO_PRINTS,
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
    ...joined('looks', before?.looks, looks),
    ...joined('icons', before?.icons, icons),
  };
  return [...known.filter((other) => other !== before), brand].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A brand without any keeps the form of earlier versions. */
function joined<Name extends string, One>(
  name: Name,
  before: readonly One[] = [],
  more: readonly One[],
): Partial<Record<Name, readonly One[]>> {
  const all = [...new Map([...before, ...more].map((one) => [JSON.stringify(one), one])).values()];
  const kept: Partial<Record<Name, readonly One[]>> = {};
  if (all.length > 0) kept[name] = all.slice(-MAX_PRINTS);
  return kept;
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
