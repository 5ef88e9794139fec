// What the executable carries as a text.
declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how a text import arrives
  export default text;
}
