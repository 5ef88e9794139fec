import type { Language } from './language.ts';

export const french = {
  name: 'Français',
  sentences: {},
  reasons: {},
} as const satisfies Language;
