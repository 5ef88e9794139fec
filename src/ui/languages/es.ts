import type { Language } from './language.ts';

export const spanish = {
  name: 'Español',
  sentences: {},
  reasons: {},
} as const satisfies Language;
