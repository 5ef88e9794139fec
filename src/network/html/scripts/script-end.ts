/**
 * Returns the end of the content of a script that begins at `from`: the index of its `</script`, or the end of the text. A comment
 * mark followed by `<script` makes the next end tag part of the script (HTML standard, "script data double escaped").
 */
export function findScriptEnd(source: string, from: number): number {
  const marks = /<!--|-->|<script(?=[\t\n\f\r />])|<\/script(?=[\t\n\f\r />])/gi;
  marks.lastIndex = from;
  let state: 'plain' | 'escaped' | 'double' = 'plain';
  for (let mark = marks.exec(source); mark; mark = marks.exec(source)) {
    const text = mark[0];
    if (text === '<!--') {
      if (state === 'plain') state = 'escaped';
      // The two dashes may already belong to the end mark, as in `<!-->`.
      marks.lastIndex -= 2;
    } else if (text === '-->') {
      state = 'plain';
    } else if (text.charAt(1) !== '/') {
      if (state === 'escaped') state = 'double';
    } else if (state === 'double') {
      state = 'escaped';
    } else {
      return mark.index;
    }
  }
  return source.length;
}
