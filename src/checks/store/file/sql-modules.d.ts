/** SQL files are imported as text, so that the executable carries them. */
declare module '*.sql' {
  const sql: string;
  // biome-ignore lint/style/noDefaultExport: that is how a text import arrives
  export default sql;
}
