/** Scripts are imported as text and become part of the executable. */
declare module '*.lua' {
  const script: string;
  // biome-ignore lint/style/noDefaultExport: that is how a text import arrives
  export default script;
}
