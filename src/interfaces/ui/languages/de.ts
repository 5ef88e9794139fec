import sentences from './de.json' with { type: 'json' };
import type { Language } from './language.ts';
import { reasonTexts } from './reason-texts.ts' with { type: 'macro' };

/** German. */
export const german = { sentences, ...reasonTexts('de') } satisfies Language<'one'>;
