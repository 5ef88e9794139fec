import type { PartRoutes } from '#src/app/parts/service.ts';
import { definePart } from '#src/parts/define-part.ts';

const examinations = () => import('./examine-packs.ts');

const PACK_ROUTES = {
  heads: ['GET /api/admin/packs', 'POST /api/admin/packs', 'POST /api/admin/packs/rollback'],
  load: async () => (await import('./pack-routes.ts')).packRoutes,
} as const satisfies PartRoutes;

/** Signed update packs. */
export const packPart = definePart({
  name: 'packs',
  conditions: ['pack_unusable', 'pack_expired', 'pack_key_revoked', 'clock_behind'],
  commands: { pack: async () => (await import('./command/pack.ts')).packCommand },
  routes: [PACK_ROUTES],
  provides: {
    followPacks: async () => (await import('#src/parts/packs/updates/follow-packs.ts')).followPacks,
  },
  examine: {
    packs: async () => (await examinations()).examinePacks,
    clock: async () => (await examinations()).examineClock,
  },
});
