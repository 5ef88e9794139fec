/** True if the program runs as the compiled executable, which carries its files inside itself, or from source. */
export const IS_EXECUTABLE: boolean = import.meta.url.startsWith('file:///$bunfs/');
