import sentences from './it.json' with { type: 'json' };
import type { Language } from './language.ts';
import { reasonTexts } from './reason-texts.ts' with { type: 'macro' };

/** Italian. */
export const italian = { sentences, ...reasonTexts('it') } satisfies Language<'one'>;
