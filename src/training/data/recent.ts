/** Start of recent phishing, and its weight in the trees relative to older phishing. */
export const RECENT = { from: '2025', weight: 3 } as const;
