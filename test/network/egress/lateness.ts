/** By how much a time-out may come late, in time that this process had to itself: what the product promises for a check. */
export const LATENESS_MS = 250;
