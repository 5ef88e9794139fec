// Files of Swagger UI that the executable carries: importing one gives its path.
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: that is how a file import arrives
  export default path;
}
declare module 'swagger-ui-dist/swagger-ui.css' {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: that is how a file import arrives
  export default path;
}
