import { memoizeLatest, memoizeLatestTwo } from '#src/core/base/memoize-latest.ts';
import { type Host, hostOf } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { type BrandMatcher, createBrandMatcher, isLegitimateNeighbour } from './brands/brand-match.ts';
import brandList from './brands/brands.json' with { type: 'json' };
import { type Brand, type BrandTable, prependBrands, readBrandTable } from './brands/brands.ts';
import { brandFromConfiguration, type ConfiguredBrandEntry } from './brands/configured-brand.ts';
import { isNameLines, readFacts, wordsIn } from './fact-file.ts';
import cheapSuffixes from './hosts/cheap-suffixes.json' with { type: 'json' };
import dynamicDns from './hosts/dynamic-dns.json' with { type: 'json' };
import embeddedServices from './hosts/embedded-services.json' with { type: 'json' };
import { FORWARDING_HOSTS } from './hosts/forwarding/forwarders.ts';
import genericCountrySuffixes from './hosts/generic-country-suffixes.json' with { type: 'json' };
import { type HostFact, type HostKind, readHostTable } from './hosts/host-kinds.ts';
import hosting from './hosts/hosting.json' with { type: 'json' };
import ipfsGateways from './hosts/ipfs-gateways.json' with { type: 'json' };
import linkInBio from './hosts/link-in-bio.json' with { type: 'json' };
import { hostSet } from './hosts/page-hosts.ts';
import parkingNameservers from './hosts/parking-nameservers.json' with { type: 'json' };
import { type PopularityBucket, type PopularSites, readPopularSites } from './hosts/popular-sites.ts';
import shorteners from './hosts/shorteners.json' with { type: 'json' };
import trackerDomains from './hosts/tracker-domains.json' with { type: 'json' };
import { LURE_WORDS } from './words/lure-words.ts';

/** Built-in facts about the web. Every query is answered from memory, in about a microsecond or less. */
export interface Knowledge {
  readonly brands: BrandTable;
  readonly brandMatcher: BrandMatcher;
  /** Words that phishing puts beside a brand's name: login, secure, track, claim and the like, in lower case. */
  readonly lureWords: ReadonlySet<string>;
  /** Public suffixes that are cheap or free and carry far more phishing than their share. */
  readonly cheapSuffixes: ReadonlySet<string>;
  /** Suffixes of countries that are sold to everybody. */
  readonly genericCountrySuffixes: ReadonlySet<string>;
  /** The listed platform, shortener or the like that the host is or lies under, or null. */
  hostFact(host: Host): HostFact | null;
  /**
   * Returns the part of a host that one publisher controls: a user of a platform is a site, even if no suffix list has
   * it.
   */
  publisherOf(host: Host): string;
  /** Returns true if third parties publish under this host, each at a path: a form, a document, a shortened link. */
  isSharedByPath(host: Host): boolean;
  /**
   * Returns the popularity of the publisher's site, or null. It is null if third parties publish under the host (a
   * form, a document, a shortened link, a user's subdomain), because the platform's popularity does not apply to them.
   */
  popularityOf(target: Target): PopularityBucket | null;
  /**
   * Returns true if the host belongs to a known service for advertisements or statistics, which people reach only through other
   * sites.
   */
  isTracker(host: Host): boolean;
  /**
   * Returns true if many people know the brand: its main domain is among the first ten thousand sites, or the operator
   * configured it.
   */
  readonly isProminent: (brand: Brand) => boolean;
  /** Returns the same with other configured brands; indexing them takes a few milliseconds. */
  withConfigured(brands: readonly ConfiguredBrandEntry[]): Knowledge;
  /** Returns true if a name server, lower case, belongs to a service that shows advertisements on unused domains. */
  isParkingServer(nameserver: string): boolean;
}

/** Kinds whose users share one host and differ by path. */
const SHARED_BY_PATH: ReadonlySet<HostKind> = new Set([
  'document',
  'form',
  'shortener',
  'link_in_bio',
  'storage',
  'ipfs_gateway',
  'redirector',
]);

/** Facts about the web that page classification needs. */
export type PageKnowledge = Pick<Knowledge, 'brands' | 'hostFact'>;

/** Opens the tables for page classification. Throws if one is damaged. */
export function loadPageKnowledge(): PageKnowledge {
  const hosts = readHostTable({
    byKind: [
      { fileName: 'dynamic-dns.json', kind: 'dynamic_dns', file: dynamicDns },
      { fileName: 'shorteners.json', kind: 'shortener', file: shorteners },
      { fileName: 'link-in-bio.json', kind: 'link_in_bio', file: linkInBio },
      { fileName: 'ipfs-gateways.json', kind: 'ipfs_gateway', file: ipfsGateways },
    ],
    forwarding: FORWARDING_HOSTS,
    hosting,
  });
  return { brands: readBrandTable(brandList), hostFact: hosts.find };
}

/**
 * Opens the tables that are part of the program. `popularSites` is `popular-sites.txt`. Throws if one is damaged.
 */
export function loadKnowledge(popularSites: string): Knowledge {
  const popular = readPopularSites(popularSites);
  const trackers = hostSet(wordsIn(readFacts('tracker-domains.json', trackerDomains, isNameLines)));
  const parking = hostSet(wordsIn(readFacts('parking-nameservers.json', parkingNameservers, isNameLines)));
  const { brands: curated, hostFact } = loadPageKnowledge();
  const isOrdinaryWord = (word: string) => popular.hasLabel(word) || isLegitimateNeighbour(word);
  const isProminent = (brand: Brand) => isKnownToMany(brand, popular);
  const learn = (brands: readonly ConfiguredBrandEntry[]): Pick<Knowledge, 'brands' | 'brandMatcher'> => {
    const facts = { isOrdinaryWord, isPlatform: (host: Host) => hostFact(host) !== null };
    const own = brands.map((brand) => brandFromConfiguration(brand, facts));
    const table = own.length === 0 ? curated : prependBrands(own, curated);
    const lureWords = LURE_WORDS.besideBrand;
    return {
      brands: table,
      brandMatcher: createBrandMatcher({ brands: table, lureWords, hostFact, isOrdinaryWord, isProminent }),
    };
  };
  const embedded = readNames('embedded-services.json', embeddedServices);
  const bucketOf = memoizeLatest((site: string) => popular.bucketOf(site) ?? (embedded.has(site) ? 5 : null));
  const known: Knowledge = {
    ...learn([]),
    withConfigured: (brands) => ({ ...known, ...learn(brands) }),
    isProminent,
    lureWords: LURE_WORDS.besideBrand,
    cheapSuffixes: readNames('cheap-suffixes.json', cheapSuffixes),
    genericCountrySuffixes: readNames('generic-country-suffixes.json', genericCountrySuffixes),
    hostFact,
    publisherOf: (host) => publisher(host, hostFact(host)),
    isSharedByPath: (host) => {
      const fact = hostFact(host);
      return fact !== null && isSharedByPath(fact, host);
    },
    popularityOf: memoizeLatestTwo(({ host, path }) => {
      const fact = hostFact(host);
      if (fact && path !== '/' && isSharedByPath(fact, host)) return null;
      return bucketOf(publisher(host, fact));
    }),
    isTracker: (host) => hostFact(host) === null && trackers.has(host),
    isParkingServer: (nameserver) => parking.has(hostOf(nameserver)),
  };
  return known;
}

/** Returns true if the brand's main domain is among the ten thousand most popular sites, or the operator configured it. */
function isKnownToMany({ domains, isConfigured }: Brand, popular: PopularSites): boolean {
  return isConfigured || (popular.bucketOf(domains[0] ?? '') ?? 5) < 5;
}

function readNames(fileName: string, file: unknown): ReadonlySet<string> {
  return new Set(wordsIn(readFacts(fileName, file, isNameLines)));
}

/** Returns whether third parties publish under this host, as at `forms.gle/…` or `sites.google.com/view/…`. */
function isSharedByPath(fact: HostFact, host: Host): boolean {
  return SHARED_BY_PATH.has(fact.kind) || fact.domain.length > host.site.length;
}

function publisher({ text, site }: Host, fact: HostFact | null): string {
  if (!fact || fact.domain.length < site.length) return site;
  const user = text.slice(0, -fact.domain.length - 1);
  if (user === '' || user === 'www') return site;
  return text.slice(user.lastIndexOf('.') + 1);
}
