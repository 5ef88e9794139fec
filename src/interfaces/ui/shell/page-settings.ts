import type { Thresholds } from '#src/engine/fusion/fuse.ts';

/** The operator's settings for the page; the server writes them into the root element. */
export interface PageSettings {
  /** Default of the private switch. */
  readonly isPrivateByDefault: boolean;
  /** True if the public history and its figures may be read. */
  readonly isHistoryPublic: boolean;
  /** Network use of a check. */
  readonly network: 'full' | 'dns' | 'none';
  /** Share of phishing among all checks; null if the server does not publish it. */
  readonly baseRate: number | null;
  /** Null if the server does not publish them. */
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
