import { Type } from '@sinclair/typebox';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { type Host, parseHost, suffixesOf } from '#src/core/url/host.ts';
import { type PagePrint, printPage } from './page-fingerprint.ts';

/** A brand that the operator taught this box: where it is at home, and what its pages look like. */
export interface OwnBrand {
  readonly name: string;
  /** Hosts in canonical form; each includes what is under it. */
  readonly domains: readonly string[];
  readonly pages: readonly PagePrint[];
}

/** An own brand cannot be learnt or read; the message says what to change. */
export class OwnBrandError extends Error {
  override readonly name = 'OwnBrandError';
  readonly code = 'own_brand_invalid';
}

const VERSION = 1;

const Texts = Type.Array(Type.String());

const OwnBrandFile = Type.Object({
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

/** The stored list with one brand added; its domains and pages join those it has already. Throws an {@link OwnBrandError}. */
export function learnOwnBrand(
  known: readonly OwnBrand[],
  name: string,
  domains: readonly string[],
  pages: readonly PageDocument[],
): OwnBrand[] {
  const plain = name.trim();
  if (plain === '' || plain.length > MAX_NAME_CHARACTERS) {
    throw new OwnBrandError(`the name of a brand has 1 to ${MAX_NAME_CHARACTERS} characters`);
  }
  const before = known.find((brand) => brand.name.toLowerCase() === plain.toLowerCase());
  const hosts = new Set([...(before?.domains ?? []), ...domains.map(readDomain)]);
  if (hosts.size === 0) throw new OwnBrandError(`the brand ${plain} needs at least one domain: --domain example.com`);
  const brand: OwnBrand = {
    name: before?.name ?? plain,
    domains: [...hosts].sort(),
    pages: [...(before?.pages ?? []), ...pages.map(printPage)],
  };
  return [...known.filter((other) => other !== before), brand].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readDomain(text: string): string {
  const host = parseHost(text.trim());
  if (host === null) throw new OwnBrandError(`${JSON.stringify(text)} is not a domain: write it like example.com`);
  if (host.kind === 'name' && host.suffix === host.text) {
    throw new OwnBrandError(`${JSON.stringify(text)} is a public suffix, under which anybody can register`);
  }
  return host.text;
}

/** The own brands as the text of their file. */
export function writeOwnBrands(brands: readonly OwnBrand[]): string {
  return `${JSON.stringify({ version: VERSION, brands })}\n`;
}

/** Reads what {@link writeOwnBrands} wrote. Throws an {@link OwnBrandError} where the text is something else. */
export function readOwnBrands(text: string): OwnBrand[] {
  const shaped = readShape(OwnBrandFile, parseJson(text));
  if ('value' in shaped) return shaped.value.brands;
  throw new OwnBrandError(`the file of own brands cannot be read, ${shaped.problem}: teach the brands again`);
}

/** Whether a host is at home with an own brand. */
export function isAtHome(brand: OwnBrand, host: Host): boolean {
  return suffixesOf(host).some((name) => brand.domains.includes(name));
}
