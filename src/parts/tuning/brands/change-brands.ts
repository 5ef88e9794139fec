import { openKnowledge } from '#src/admin/active/models.ts';
import type { OwnPictures } from '#src/checks/store/pictures/own-picture.ts';
import { platformProblem } from '#src/core/knowledge/brands/brand-domain.ts';
import {
  addConfiguredBrand,
  type BrandPrints,
  type ConfiguredBrand,
  ConfiguredBrandError,
} from '#src/engine/analyzers/page/configured-brand.ts';
import { fingerprintPage, missingTraits } from '#src/engine/analyzers/page/page-fingerprint.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { USUAL_HTML_LIMITS } from '#src/network/html/limits.ts';
import { openSavedPage, type RefusedFile } from '#src/network/probes/saved-page.ts';

/** A saved page, and what it lacks to be recognized: nothing if it is empty. */
interface SavedBrandPage {
  readonly page: PageDocument;
  readonly missing: readonly string[];
}

/** A saved page, or why the file is no page. */
type BrandPageReading = SavedBrandPage | RefusedFile;

/** Reads a saved page as if the brand's domain had served it; refuses a file that is no page. */
export async function readBrandPage(file: Uint8Array, domain = 'localhost'): Promise<BrandPageReading> {
  // A service that is not asked for it starts without the parser of pages.
  const { readPage } = await import('#src/network/html/read-page.ts');
  const opened = await openSavedPage(file, USUAL_HTML_LIMITS.characters);
  if ('problem' in opened) return opened;
  const page = readPage(opened.bytes, { contentType: opened.contentType, url: `https://${domain}/` });
  return { page, missing: missingTraits(fingerprintPage(page)) };
}

/** Prints of own pages, with the pictures that are shown beside those of copies. */
export interface SeenPage extends BrandPrints {
  readonly pictures: OwnPictures;
}

/** A brand to be added; domains and pages are added to those of a known one. */
export interface WantedBrand {
  readonly name: string;
  readonly domains: readonly string[];
  readonly pages: readonly PageDocument[];
  /** How its pages look; absent if that was not seen. */
  readonly seen?: SeenPage;
}

/**
 * Returns the function that adds a brand to others, which throws ConfiguredBrandError if the name cannot be that of a brand.
 *
 * @throws ConfiguredBrandError if a domain cannot be that of a brand
 */
export async function addingBrand({
  name,
  domains,
  pages,
  seen,
}: WantedBrand): Promise<(known: readonly ConfiguredBrand[]) => ConfiguredBrand[]> {
  const knowledge = await openKnowledge();
  for (const domain of domains) {
    const problem = platformProblem(domain, knowledge);
    if (problem !== null) throw new ConfiguredBrandError(problem);
  }
  return (known) => addConfiguredBrand(known, name, domains, pages, seen);
}
