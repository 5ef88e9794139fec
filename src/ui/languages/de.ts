import type { Language } from './language.ts';

export const german = {
  name: 'Deutsch',
  sentences: {},
  reasons: {},
} as const satisfies Language;
