import { definePart } from '#src/parts/define-part.ts';

/** Signed update packs. */
export const packPart = definePart({
  name: 'packs',
  commands: { pack: async () => (await import('./command/pack.ts')).packCommand },
  provides: { followPacks: async () => (await import('#src/parts/packs/updates/follow-packs.ts')).followPacks },
  examine: { packs: async () => (await import('./examine-packs.ts')).examinePacks },
});
