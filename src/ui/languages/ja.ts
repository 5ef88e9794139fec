import type { Language } from './language.ts';

export const japanese = {
  name: '日本語',
  sentences: {},
  reasons: {},
} as const satisfies Language;
