import type { Thresholds } from '#src/fusion/decide.ts';

/** What the operator decides about the page; written into the root element by the server. */
export interface PageSettings {
  /** What the switch proposes. */
  readonly isPrivateByDefault: boolean;
  /** Whether the public history and its figures may be read. */
  readonly isHistoryPublic: boolean;
  /** Null where the server does not say. */
  readonly thresholds: Thresholds | null;
}

/** The settings of this page. */
export function readPageSettings(): PageSettings {
  const { defaultPrivate, publicHistory, warn, block } = document.documentElement.dataset;
  return {
    isPrivateByDefault: defaultPrivate === 'true',
    isHistoryPublic: publicHistory !== 'false',
    thresholds: warn && block ? { warn: Number(warn), block: Number(block) } : null,
  };
}
