import { definePart } from '#src/parts/define-part.ts';

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
  provides: {
    startNightlyRescore: async () => (await import('#src/parts/tuning/rescore/nightly.ts')).startNightlyRescore,
    createRescorer: async () => (await import('#src/parts/tuning/rescore/rescore-check.ts')).createRescorer,
  },
  examine: { feedback: async () => (await import('./examine-feedback.ts')).examineFeedback },
});
