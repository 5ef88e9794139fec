/** Name of the response policy zone; the names of its records are relative to it. */
export const ZONE_NAME = 'rpz.lurecheck';
