import { type Golden, readGolden } from '#src/engine/lexical/golden.ts';
import goldenText from '#src/engine/models/golden.tsv' with { type: 'text' };

/** Rows of some URLs when the shipped model was trained. */
export const golden: Golden = readGolden(goldenText);

/** URLs whose scores are pinned: well-known pages, and synthetic ones of the kinds that phishing uses. */
export const goldenUrls: readonly string[] = golden.rows.map(({ url }) => url);
