import { apiDocument } from '#src/app/parts/api-document.ts';
import type { Command } from '../../command.ts';

/** `lurecheck openapi` */
export const openapiCommand: Command<'openapi'> = {
  name: 'openapi',
  operands: '',
  summary: 'print the OpenAPI description of the service',
  options: {},
  examples: [
    { line: 'lurecheck about openapi > openapi.json', purpose: 'Save the description of the API.' },
    { line: 'lurecheck about openapi --base-path /lurecheck', purpose: 'Print it as a proxy publishes it.' },
  ],
  async run({ config }, io) {
    await io.stdout.write(`${JSON.stringify(await apiDocument(config.base_path), null, 2)}\n`);
    return 0;
  },
};
