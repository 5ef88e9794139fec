import type { PartRoutes } from '#src/app/parts/service.ts';
import { definePart } from '#src/parts/define-part.ts';

const FEEDBACK_ROUTES = {
  heads: ['GET /api/admin/feedback', 'PATCH /api/admin/feedback/:id'],
  load: async () => (await import('./feedback-routes.ts')).feedbackRoutes,
} as const satisfies PartRoutes;

const MODEL_ROUTES = {
  heads: [
    'GET /api/admin/models',
    'POST /api/admin/models/compare',
    'PUT /api/admin/models/active',
    'POST /api/admin/models/rollback',
  ],
  load: async () => (await import('./model-routes.ts')).modelRoutes,
} as const satisfies PartRoutes;

const BRAND_ROUTES = {
  heads: ['GET /api/admin/brands', 'POST /api/admin/brands', 'DELETE /api/admin/brands/:name'],
  load: async () => (await import('./brand-routes.ts')).brandRoutes,
} as const satisfies PartRoutes;

/** Models, brands, re-scoring and feedback. */
export const tuningPart = definePart({
  name: 'tuning',
  commands: {
    rescore: async () => (await import('./command/rescore.ts')).rescoreCommand,
    feedback: async () => (await import('./command/feedback.ts')).feedbackCommand,
    brand: async () => (await import('./command/brand.ts')).brandCommand,
    model: async () => (await import('./command/model.ts')).modelCommand,
    train: async () => (await import('./command/train.ts')).trainCommand,
    evaluate: async () => (await import('./command/evaluate.ts')).evaluateCommand,
  },
  routes: [FEEDBACK_ROUTES, MODEL_ROUTES, BRAND_ROUTES],
  provides: {
    startNightlyRescore: async () => (await import('#src/parts/tuning/rescore/nightly.ts')).startNightlyRescore,
    createRescorer: async () => (await import('#src/parts/tuning/rescore/rescore-check.ts')).createRescorer,
  },
  examine: { feedback: async () => (await import('./examine-feedback.ts')).examineFeedback },
});
