import CODE_PAGES from './code-pages.json';

/** Returns the decoder of a code page of Windows; that of Western Europe if it is unknown. */
export function codePageDecoder(number: number): TextDecoder {
  const known = (CODE_PAGES.entries as Readonly<Record<string, string>>)[number];
  const latin = number > 28590 && number < 28606 ? `iso-8859-${number - 28590}` : `windows-${number}`;
  try {
    // An unknown name is an error.
    return new TextDecoder((known ?? latin) as ConstructorParameters<typeof TextDecoder>[0]);
  } catch {
    return new TextDecoder('windows-1252');
  }
}
