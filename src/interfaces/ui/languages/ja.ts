import sentences from './ja.json' with { type: 'json' };
import type { Language } from './language.ts';
import { reasonTexts } from './reason-texts.ts' with { type: 'macro' };

/** Japanese. */
export const japanese = { sentences, ...reasonTexts('ja') } satisfies Language;
