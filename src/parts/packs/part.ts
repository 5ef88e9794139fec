import { definePart } from '#src/parts/define-part.ts';

/** Signed update packs. */
export const packPart = definePart({
  name: 'packs',
  commands: { pack: async () => (await import('./command/pack.ts')).packCommand },
  examine: { packs: async () => (await import('./examine-packs.ts')).examinePacks },
});
