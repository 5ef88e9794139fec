/** By how much a busy machine may fire a timer late before a test takes it for a fault. The product promises 250 ms. */
export const LATENESS_MS = 1000;
