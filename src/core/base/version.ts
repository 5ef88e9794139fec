import { license, version } from '../../../package.json' with { type: 'json' };

/** True if the program runs as the compiled executable, which carries its files inside itself, or from source. */
export const IS_EXECUTABLE: boolean = import.meta.url.startsWith('file:///$bunfs/');

/** The product's version, as in `package.json`. */
export const VERSION: string = version;

/** The licence of the program, as an SPDX identifier. */
export const LICENSE: string = license;
