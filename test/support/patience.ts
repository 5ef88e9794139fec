/**
 * A limit of time for what a test expects to come: nobody waits for it, and no machine is so busy that it strikes before. A
 * test that waits for the limit itself sets a short one of its own.
 */
export const PATIENT_SECONDS = 30;
export const PATIENT_MS = 1000 * PATIENT_SECONDS;
