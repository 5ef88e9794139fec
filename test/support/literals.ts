/** Comments and literals; a slash begins an expression only where a value may stand. */
export const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{(?:[^{}`]|\{[^{}]*\}|`(?:\\.|[^`\\])*`)*\}|[^`\\])*`|(?<=[(,=:[!&|?{};+*%~^<>-]\s*|\breturn\s)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;

/** The literals of a source as they are written: texts in quotes, templates, regular expressions. */
export function literalsIn(source: string): string[] {
  return [...source.matchAll(TOKEN)].flatMap(([token]) => (/^\/[/*]/.test(token) ? [] : [token]));
}
