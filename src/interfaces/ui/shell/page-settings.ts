import type { Thresholds } from '#src/engine/fusion/decide.ts';

/** What the operator decides about the page; written into the root element by the server. */
export interface PageSettings {
  /** What the switch proposes. */
  readonly isPrivateByDefault: boolean;
  /** True if the public history and its figures may be read. */
  readonly isHistoryPublic: boolean;
  /** What a check may use. */
  readonly network: 'full' | 'dns' | 'none';
  /** Share of phishing among all that is checked; null where the server does not say. */
  readonly baseRate: number | null;
  /** Null where the server does not say. */
  readonly thresholds: Thresholds | null;
}

/** The settings of this page. */
export function readPageSettings(): PageSettings {
  const { defaultPrivate, publicHistory, network, baseRate, warn, block } = document.documentElement.dataset;
  return {
    isPrivateByDefault: defaultPrivate === 'true',
    isHistoryPublic: publicHistory !== 'false',
    network: network === 'dns' || network === 'none' ? network : 'full',
    baseRate: baseRate ? Number(baseRate) : null,
    thresholds: warn && block ? { warn: Number(warn), block: Number(block) } : null,
  };
}
