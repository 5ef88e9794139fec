/**
 * Time after which a test, or a program that a test started, counts as hung. It detects hangs only: a machine that is shared
 * with others may need many times the processor time of a test, so no test sets a shorter time-out of its own.
 */
export const HANG_MS = 600_000;

/**
 * Time-out for an event that a test expects to happen. Nobody waits for it, and no machine is so busy that it expires first.
 * A test of the time-out itself sets a short one.
 */
export const PATIENT_SECONDS = 120;
export const PATIENT_MS = 1000 * PATIENT_SECONDS;
