/** From when on phishing is recent, and how many times as much it weighs in the trees. */
export const RECENT = { from: '2025', weight: 3 } as const;
