import type { PageDocument } from '#src/html/document.ts';
import { type Host, parseHost, suffixesOf } from '#src/url/host.ts';
import { type PagePrint, printPage } from './page-print.ts';

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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OwnBrandError('the file of own brands is not JSON: teach the brands again');
  }
  if (!isRecord<'version' | 'brands'>(value) || value.version !== VERSION || !Array.isArray(value.brands)) {
    throw new OwnBrandError('the file of own brands is from another version: teach the brands again');
  }
  const brands: unknown[] = value.brands;
  if (!brands.every(isOwnBrand)) throw new OwnBrandError('the file of own brands is damaged: teach the brands again');
  return brands;
}

/** Whether a host is at home with an own brand. */
export function isAtHome(brand: OwnBrand, host: Host): boolean {
  return suffixesOf(host).some((name) => brand.domains.includes(name));
}

function isOwnBrand(value: unknown): value is OwnBrand {
  return (
    isRecord<keyof OwnBrand>(value) &&
    typeof value.name === 'string' &&
    isList(value.domains, 'string') &&
    Array.isArray(value.pages) &&
    value.pages.every(isPrint)
  );
}

function isPrint(value: unknown): value is PagePrint {
  return (
    isRecord<keyof PagePrint>(value) &&
    isList(value.titleWords, 'string') &&
    isList(value.fieldKinds, 'string') &&
    isList(value.fieldNames, 'string') &&
    isList(value.assetNames, 'string') &&
    isList(value.textSketch, 'number')
  );
}

function isRecord<Key extends string>(value: unknown): value is { readonly [Name in Key]?: unknown } {
  return typeof value === 'object' && value !== null;
}

function isList(value: unknown, type: 'string' | 'number'): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type);
}
