/** Returns the length of the longest run of hexadecimal digits with both a letter and a decimal digit; 0 if none. */
export function hexRun(text: string, length: number): number {
  let longest = 0;
  let run = 0;
  let decimals = 0;
  for (let i = 0; i <= length; i++) {
    const code = i < length ? text.charCodeAt(i) | 32 : 0;
    const decimal = i < length && code >= 48 && code <= 57;
    if (decimal || (code >= 97 && code <= 102)) {
      run++;
      if (decimal) decimals++;
      continue;
    }
    if (run > longest && decimals > 0 && decimals < run) longest = run;
    run = 0;
    decimals = 0;
  }
  return longest;
}
