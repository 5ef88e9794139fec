import sentences from './es.json' with { type: 'json' };
import type { Language } from './language.ts';
import { reasonTexts } from './reason-texts.ts' with { type: 'macro' };

/** Spanish. */
export const spanish = { sentences, ...reasonTexts('es') } satisfies Language<'one'>;
