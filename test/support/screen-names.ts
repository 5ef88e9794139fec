import ENGLISH from '#src/core/languages/en.json' with { type: 'json' };

/** Names of the screens of the console: each has a title. */
export const SCREEN_NAMES = Object.keys(ENGLISH.console).flatMap((key) => key.match(/^screen\.(.+)/)?.[1] ?? []);
