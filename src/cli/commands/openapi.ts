import { openApiDocument } from '#src/server/docs/openapi.ts';
import type { Command } from '../command.ts';

/** `lurecheck openapi` */
export const openapiCommand: Command<'openapi'> = {
  name: 'openapi',
  operands: '',
  summary: 'prints the OpenAPI description of the service',
  options: {},
  async run({ config }, io) {
    await io.stdout.write(`${JSON.stringify(await openApiDocument(config.base_path), null, 2)}\n`);
    return 0;
  },
};
