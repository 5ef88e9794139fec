import brandCountryDomains from '#src/core/knowledge/brands/brand-country-domains.json' with { type: 'json' };
import brandServiceDomains from '#src/core/knowledge/brands/brand-service-domains.json' with { type: 'json' };
import brandWords from '#src/core/knowledge/brands/brand-words.json' with { type: 'json' };
import brands from '#src/core/knowledge/brands/brands.json' with { type: 'json' };
import cheapSuffixes from '#src/core/knowledge/hosts/cheap-suffixes.json' with { type: 'json' };
import dynamicDns from '#src/core/knowledge/hosts/dynamic-dns.json' with { type: 'json' };
import embeddedServices from '#src/core/knowledge/hosts/embedded-services.json' with { type: 'json' };
import linkForms from '#src/core/knowledge/hosts/forwarding/link-forms.json' with { type: 'json' };
import linkWrappers from '#src/core/knowledge/hosts/forwarding/link-wrappers.json' with { type: 'json' };
import redirectors from '#src/core/knowledge/hosts/forwarding/redirectors.json' with { type: 'json' };
import frontEnds from '#src/core/knowledge/hosts/front-ends.json' with { type: 'json' };
import genericCountrySuffixes from '#src/core/knowledge/hosts/generic-country-suffixes.json' with { type: 'json' };
import hostEndings from '#src/core/knowledge/hosts/host-endings.json' with { type: 'json' };
import hosting from '#src/core/knowledge/hosts/hosting.json' with { type: 'json' };
import ipfsGateways from '#src/core/knowledge/hosts/ipfs-gateways.json' with { type: 'json' };
import linkInBio from '#src/core/knowledge/hosts/link-in-bio.json' with { type: 'json' };
import mailServices from '#src/core/knowledge/hosts/mail-services.json' with { type: 'json' };
import openCountrySuffixes from '#src/core/knowledge/hosts/open-country-suffixes.json' with { type: 'json' };
import pageHosts from '#src/core/knowledge/hosts/page-hosts.json' with { type: 'json' };
import parkingNameservers from '#src/core/knowledge/hosts/parking-nameservers.json' with { type: 'json' };
import publishingMailTools from '#src/core/knowledge/hosts/publishing-mail-tools.json' with { type: 'json' };
import restrictedSuffixes from '#src/core/knowledge/hosts/restricted-suffixes.json' with { type: 'json' };
import shorteners from '#src/core/knowledge/hosts/shorteners.json' with { type: 'json' };
import siteCounts from '#src/core/knowledge/hosts/site-counts.json' with { type: 'json' };
import specialNames from '#src/core/knowledge/hosts/special-names.json' with { type: 'json' };
import trackerDomains from '#src/core/knowledge/hosts/tracker-domains.json' with { type: 'json' };
import warmUpLinks from '#src/core/knowledge/hosts/warm-up-links.json' with { type: 'json' };
import carrierServices from '#src/core/knowledge/mail/carrier-services.json' with { type: 'json' };
import freemail from '#src/core/knowledge/mail/freemail.json' with { type: 'json' };
import mailBrandNames from '#src/core/knowledge/mail/mail-brand-names.json' with { type: 'json' };
import mailBrands from '#src/core/knowledge/mail/mail-brands.json' with { type: 'json' };
import mailLures from '#src/core/knowledge/mail/mail-lures.json' with { type: 'json' };
import mailNameWords from '#src/core/knowledge/mail/mail-name-words.json' with { type: 'json' };
import mailSchemes from '#src/core/knowledge/mail/mail-schemes.json' with { type: 'json' };
import sendingServices from '#src/core/knowledge/mail/sending-services.json' with { type: 'json' };
import { newerTables } from '#src/core/knowledge/registries/newer-tables.ts';
import rdapServers from '#src/core/knowledge/registries/rdap-servers.json' with { type: 'json' };
import type { ServerTable } from '#src/core/knowledge/registries/server-table.ts';
import whoisServers from '#src/core/knowledge/registries/whois-servers.json' with { type: 'json' };
import whoisTerms from '#src/core/knowledge/registries/whois-terms.json' with { type: 'json' };
import carrierParameters from '#src/core/knowledge/words/carrier-parameters.json' with { type: 'json' };
import fieldWords from '#src/core/knowledge/words/field-words.json' with { type: 'json' };
import fileKinds from '#src/core/knowledge/words/file-kinds.json' with { type: 'json' };
import fileNames from '#src/core/knowledge/words/file-names.json' with { type: 'json' };
import kitMarks from '#src/core/knowledge/words/kit-marks.json' with { type: 'json' };
import lureWords from '#src/core/knowledge/words/lure-words.json' with { type: 'json' };
import mailHeaderNames from '#src/core/knowledge/words/mail-header-names.json' with { type: 'json' };
import openRoots from '#src/core/knowledge/words/open-roots.json' with { type: 'json' };
import pathWords from '#src/core/knowledge/words/path-words.json' with { type: 'json' };
import personNames from '#src/core/knowledge/words/person-names.json' with { type: 'json' };
import pressurePhrases from '#src/core/knowledge/words/pressure-phrases.json' with { type: 'json' };
import riskyFiles from '#src/core/knowledge/words/risky-files.json' with { type: 'json' };
import secretNames from '#src/core/knowledge/words/secret-names.json' with { type: 'json' };
import signInWords from '#src/core/knowledge/words/sign-in-words.json' with { type: 'json' };
import standInPages from '#src/core/knowledge/words/stand-in-pages.json' with { type: 'json' };
import confusables from '#src/core/url/confusables.json' with { type: 'json' };
import codePages from '#src/engine/message/outlook/code-pages.json' with { type: 'json' };
import packedRtf from '#src/engine/message/outlook/packed-rtf.json' with { type: 'json' };
import rtfWords from '#src/engine/message/outlook/rtf-words.json' with { type: 'json' };
import glyphNames from '#src/engine/message/pdf/glyph-names.json' with { type: 'json' };
import feedTerms from '#src/network/lists/formats/feed-terms.json' with { type: 'json' };

/** A table of facts, with the day on which it was retrieved from its source. */
export interface FactAge {
  /** Name of its file. */
  readonly table: string;
  /** ISO 8601 day. */
  readonly retrieved: string;
}

const TABLES: Readonly<Record<string, { readonly retrieved: string }>> = {
  ...{ brandCountryDomains, brandWords, brands, cheapSuffixes, dynamicDns, genericCountrySuffixes, hosting },
  ...{ ipfsGateways, linkInBio, mailServices, openCountrySuffixes, pageHosts },
  ...{ parkingNameservers, publishingMailTools, restrictedSuffixes, shorteners, siteCounts, specialNames },
  ...{ brandServiceDomains, embeddedServices, frontEnds, signInWords, linkForms, linkWrappers, redirectors },
  ...{
    fileKinds,
    carrierServices,
    freemail,
    mailBrandNames,
    mailBrands,
    mailHeaderNames,
    mailLures,
    mailNameWords,
    mailSchemes,
    sendingServices,
    openRoots,
    publishingMailTools,
    riskyFiles,
  },
  ...{ hostEndings, trackerDomains, warmUpLinks, rdapServers, whoisServers, whoisTerms, carrierParameters },
  ...{ fieldWords, fileKinds, fileNames, kitMarks, lureWords, openRoots, pathWords, personNames },
  ...{ pressurePhrases, secretNames, standInPages, confusables, feedTerms },
  ...{ codePages, glyphNames, packedRtf, rtfWords },
};

/** The tables of facts in the program, the oldest first. */
export const FACT_AGES: readonly FactAge[] = oldestFirst(
  Object.entries(TABLES).map(([name, { retrieved }]) => ({ table: fileNameOf(name), retrieved })),
);

/** The table that was retrieved first. */
export const OLDEST_FACTS: FactAge = FACT_AGES[0] ?? { table: '', retrieved: '' };

/** Returns the tables of facts in use, the oldest first: those of the program, or newer ones of packs. */
export function factAgesWith(ofPacks: readonly ServerTable[]): readonly FactAge[] {
  const newer = new Map<string, string>(newerTables(ofPacks).map(({ name, retrieved }) => [name, retrieved]));
  return oldestFirst(FACT_AGES.map(({ table, retrieved }) => ({ table, retrieved: newer.get(table) ?? retrieved })));
}

function oldestFirst(ages: readonly FactAge[]): readonly FactAge[] {
  return ages.toSorted((a, b) => (`${a.retrieved} ${a.table}` < `${b.retrieved} ${b.table}` ? -1 : 1));
}

/** `rdapServers` → `rdap-servers.json`. */
function fileNameOf(name: string): string {
  return `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`;
}
