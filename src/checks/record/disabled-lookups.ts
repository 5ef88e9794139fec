import type { Unavailable } from './lookup-status.ts';

/** A disabled lookup as answers have it. Records share the object, so that the packer recognizes it at once. */
export const DISABLED_LOOKUP: { readonly status: 'disabled' } = { status: 'disabled' };

/** `unavailable` of a check that looks nothing up, likewise. */
export const DISABLED_COMPONENTS: Unavailable[] = ['page', 'dns', 'registration', 'certificate', 'lists'].map(
  (component) => ({ component, reason: 'disabled' }),
);
