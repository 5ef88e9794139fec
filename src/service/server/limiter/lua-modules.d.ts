/** Scripts are imported as text, so that the executable carries them. */
declare module '*.lua' {
  const script: string;
  // biome-ignore lint/style/noDefaultExport: that is how a text import arrives
  export default script;
}
