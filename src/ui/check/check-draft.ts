/** What a person typed and chose; kept while the page is shown in another language. */
export interface CheckDraft {
  text: string;
  isPrivate: boolean;
}
