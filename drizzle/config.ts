import { defineConfig } from 'drizzle-kit';

const config = defineConfig({ dialect: 'sqlite', schema: './src/checks/store/file/schema.ts', out: './drizzle/sql' });

// biome-ignore lint/style/noDefaultExport: drizzle-kit reads its settings from the default export
export default config;
