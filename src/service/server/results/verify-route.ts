import { Type } from '@sinclair/typebox';
import { EXAMPLES } from '../docs/examples.ts';
import { answer } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import type { FieldFault } from '../http/field-errors.ts';
import { parseJsonObject } from '../http/json-body.ts';
import { refusals } from '../http/refusals.ts';
import { ownHost, ownSite, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';
import type { ResultSigner } from './result-signer.ts';

/** What the route that verifies links to results works with. */
export interface VerifyRouteParts extends SiteParts {
  readonly results: ResultSigner;
}

const linkFault: FieldFault = (value) =>
  typeof value === 'string' ? null : { code: 'invalid_body', message: 'must be a string' };

/** A link to a result, as its fragment has it. */
export const VerifyRequestSchema = Type.Object(
  {
    link: Type.String({
      description:
        'What stands behind `#result=` in a link: the result as JSON, packed (DEFLATE, base64url), a dot, and its signature',
      fault: linkFault,
    }),
  },
  { $id: 'VerifyRequest', additionalProperties: false, description: 'A link to a result' },
);

/** Whether it was signed here. */
export const VerificationSchema = Type.Object(
  { is_signed: Type.Boolean({ description: 'Whether this service signed that result' }) },
  { $id: 'Verification', description: 'Whether a result is one of this service' },
);

/** The refusals of a route that takes a link to a result. */
export const LINK_REFUSALS = refusals(
  'invalid_json',
  'invalid_body',
  'unknown_member',
  'invalid_parameter',
  'cross_site',
  'body_too_large',
  'unsupported_media_type',
  'misdirected',
  'internal',
);

/** What a route takes to which a link is sent. */
export const TAKES_LINK = {
  parse: [ownSite, ownHost, parseJsonObject],
  body: documented(VerifyRequestSchema, {
    description: 'JSON of at most 32 KiB, not encoded.',
    example: EXAMPLES.verifyRequest,
  }),
};

/** `POST /api/verify-result`, the first form of `/api/results/verify`: whether a link holds what this service answered. Nothing of it is kept. */
export const verifyRoute = routesWith<VerifyRouteParts>().post(
  '/api/verify-result',
  ({ body, service }) => ({ is_signed: service.results.isSigned(body.link) }),
  {
    ...TAKES_LINK,
    response: {
      200: answer(VerificationSchema, { description: 'Whether it is.', example: EXAMPLES.verification }),
      ...LINK_REFUSALS,
    },
    detail: {
      operationId: 'verifyResult',
      tags: ['Checks'],
      summary: 'Is this result one of this service?',
      description:
        'Says whether a link to a result, as the page makes them, was signed by this service. It looks nothing up, counts for no ' +
        'limit, and keeps nothing.',
    },
  },
);
