/**
 * Names by which a script does something to the page: it writes into it, builds elements, leaves it, decodes a text, or
 * runs one. Code without any of them is not read.
 */
export const ACTING_WORDS: readonly string[] = [
  ...['location', 'navigation', 'navigate', 'open', 'submit', 'requestSubmit', 'click', 'import', 'with'],
  ...['write', 'writeln', 'innerHTML', 'outerHTML', 'srcdoc', 'insertAdjacentHTML', 'setHTMLUnsafe', 'setHTML', 'html'],
  ...['parseFromString', 'parseHTMLUnsafe', 'parseHTML', 'createContextualFragment', 'Blob', 'File', 'title'],
  ...[
    'createElement',
    'createElementNS',
    'append',
    'prepend',
    'appendChild',
    'replaceWith',
    'replaceChildren',
    'appendTo',
  ],
  ...['eval', 'execScript', 'Function', 'atob', 'unescape', 'decodeURI', 'decodeURIComponent', 'fromCharCode'],
  ...['fromCodePoint', 'TextDecoder', 'Reflect'],
];
