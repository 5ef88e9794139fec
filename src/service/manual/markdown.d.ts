// Texts that the executable contains.
declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how a text import arrives
  export default text;
}
