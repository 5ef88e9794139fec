// Files that the executable carries: importing one gives its path, which inside the executable is a virtual one.
declare module '*.bin' {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: that is how a file import arrives
  export default path;
}

declare module '*-sites.txt' {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: that is how a file import arrives
  export default path;
}

// What the executable carries as a text.
declare module '*.tsv' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how a file import arrives
  export default text;
}

declare module '*.pem' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how a text import arrives
  export default text;
}

declare module '*.service' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how a text import arrives
  export default text;
}

declare module '*.sysusers' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how a text import arrives
  export default text;
}

declare module '*.openrc' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how a text import arrives
  export default text;
}

declare module '*.template' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how a text import arrives
  export default text;
}
