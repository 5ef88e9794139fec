import type { Component } from './analyzer.ts';
import { brandAnalyzer } from './brand.ts';
import { certificateAnalyzer } from './certificate.ts';
import { dnsAnalyzer } from './dns.ts';
import { listsAnalyzer } from './lists.ts';
import { pageAnalyzer } from './page.ts';
import { redirectsAnalyzer } from './redirects.ts';
import { registrationAnalyzer } from './registration.ts';
import { urlAnalyzer } from './url.ts';

/** Every analyzer by its component. A new one is one file and one line here; the build then asks for its weights. */
export const ANALYZERS = {
  url: urlAnalyzer,
  brand: brandAnalyzer,
  page: pageAnalyzer,
  redirects: redirectsAnalyzer,
  dns: dnsAnalyzer,
  registration: registrationAnalyzer,
  certificate: certificateAnalyzer,
  lists: listsAnalyzer,
} as const satisfies Partial<Record<Component, unknown>>;

/** The components that judge, in the order of the registry. */
export const COMPONENTS = Object.keys(ANALYZERS) as (keyof typeof ANALYZERS)[];

/** The names of all features that the analyzers may emit, which the fusion model must weigh. */
export const FEATURE_NAMES: readonly string[] = Object.values(ANALYZERS).flatMap(({ features }) => [...features]);
