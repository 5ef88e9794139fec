/**
 * Modules of the runtime that are loaded with their first use: each takes about 2 ms, and most starts of the service need
 * none of them.
 */

/** Returns `node:net`. */
export const net = () => process.getBuiltinModule('node:net');

/** Returns `node:zlib`. */
export const zlib = () => process.getBuiltinModule('node:zlib');
