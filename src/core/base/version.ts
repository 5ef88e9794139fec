import manifest from '../../../package.json' with { type: 'json' };

/** The product's version, as in `package.json`. */
export const VERSION: string = manifest.version;

/** The licence of the program, as an SPDX identifier. */
export const LICENSE: string = manifest.license;
