// DEL and C1 controls, line and paragraph separators, and what is invisible or turns the direction of text.
const HIDDEN = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * One line of JSON for a log, the newline included. Besides what JSON escapes, it holds no character that a terminal or an
 * editor would not show as it is.
 */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(HIDDEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
