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
        'The part after `#result=` of a link: the result as JSON, packed (DEFLATE, base64url), a dot, and its signature',
      fault: linkFault,
    }),
  },
  { $id: 'VerifyRequest', additionalProperties: false, description: 'A link to a result' },
);

/** Verification of a link's signature. */
export const VerificationSchema = Type.Object(
  { is_signed: Type.Boolean({ description: 'True if this service signed the result' }) },
  { $id: 'Verification', description: 'Verification of a link to a result' },
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

/** Declaration of a route that receives a link. */
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
      200: answer(VerificationSchema, { description: 'The verification.', example: EXAMPLES.verification }),
      ...LINK_REFUSALS,
    },
    detail: {
      operationId: 'verifyResult',
      tags: ['Checks'],
      summary: 'Verify a link to a result (earlier form)',
      description:
        'Verifies that this service signed a link to a result, as the page creates them. The request is not limited, looks ' +
        'nothing up, and stores nothing.',
    },
  },
);
