import { Type } from '@sinclair/typebox';
import { type TodaysVerdict, TodaysVerdictSchema } from '#src/checks/record/todays-verdict.ts';
import { EXAMPLES } from '../docs/examples.ts';
import { answer } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import { type FieldFault, textField } from '../http/field-errors.ts';
import { parseJsonObject } from '../http/json-body.ts';
import { refusals } from '../http/refusals.ts';
import { ownHost, ownSite, type SiteParts } from '../http/request-site.ts';
import { routesWith } from '../http/routes-with.ts';
import type { ResultSigner } from './result-signer.ts';

interface VerifyRouteParts extends SiteParts {
  readonly results: ResultSigner;
}

/** A link to a result, as its fragment has it. */
export const VerifyRequestSchema = Type.Object(
  {
    link: textField(
      'The part after `#result=` of a link: the result as JSON, packed (DEFLATE, base64url), a dot, and its signature',
    ),
  },
  { $id: 'VerifyRequest', additionalProperties: false, description: 'A link to a result' },
);

/** Verification of a link's signature. */
export const VerificationSchema = Type.Object(
  { is_signed: Type.Boolean({ description: 'True if this service signed the result' }) },
  { $id: 'Verification', description: 'Verification of a link to a result' },
);

/** The refusals of a route that takes a link to a result. */
const LINK_REFUSALS = refusals(
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
const TAKES_LINK = {
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

export interface ResultsRoutesParts extends VerifyRouteParts {
  /** Verdict of the model and the lists about a URL today; null if the URL cannot be checked. Looks nothing up. */
  todaysVerdict(url: string): Promise<TodaysVerdict | null>;
}

/** Verification of a link, with today's verdict on its URL. */
export const ResultVerificationSchema = Type.Object(
  {
    is_signed: Type.Boolean({ description: 'True if this service signed the result' }),
    today: Type.Union([TodaysVerdictSchema, Type.Null()], {
      description: 'Verdict today by the URL, the model and the lists; null if this service did not sign the result',
    }),
  },
  { $id: 'ResultVerification', description: 'Verification of a link to a result, with the verdict of today' },
);

/** A host as it is written; no URL, and nothing that could pass for a sentence. */
const HOST = '^[^\\s/?#@\\\\]{1,253}$';

const hostFault: FieldFault = (value) =>
  typeof value === 'string' && new RegExp(HOST).test(value)
    ? null
    : { code: 'invalid_body', message: 'must be the name of a host' };

/** A link to a result, and what a message said of its URL. */
export const SignRequestSchema = Type.Object(
  {
    link: VerifyRequestSchema.properties.link,
    says: Type.String({ description: 'Host that the text of the message named', pattern: HOST, fault: hostFault }),
    goes_to: Type.String({ description: 'Host to which its link goes', pattern: HOST, fault: hostFault }),
  },
  {
    $id: 'SignRequest',
    additionalProperties: false,
    description: 'A link to a result, with the host that a message named',
  },
);

/** A signature. */
export const SignedSchema = Type.Object(
  {
    signature: Type.Union([Type.String(), Type.Null()], {
      description: 'Ed25519, base64url; null if this service did not sign the link',
    }),
  },
  { $id: 'SignedResult', description: 'Signature of a result with the host that a message named' },
);

/**
 * `POST /api/results/verify`: whether a link holds what this service answered, and what it says of the URL today.
 * `POST /api/results/sign`: a signature for a result with what a message said. Neither visits, logs or counts anything.
 */
export const resultsRoutes = routesWith<ResultsRoutesParts>()
  .post(
    '/api/results/verify',
    async ({ body, service: { results, todaysVerdict } }) => {
      const result = results.signedResult(body.link);
      const today = result && (await todaysVerdict(result.analysis_details.normalized_url));
      return { is_signed: result !== null, today };
    },
    {
      ...TAKES_LINK,
      response: {
        200: answer(ResultVerificationSchema, {
          description: 'The verification, and the verdict of today.',
          example: EXAMPLES.resultVerification,
        }),
        ...LINK_REFUSALS,
      },
      detail: {
        operationId: 'verifyResultToday',
        tags: ['Checks'],
        summary: 'Verify a link to a result',
        description:
          'Verifies that this service signed a link to a result. If so, `today` has the current verdict by the URL, the model ' +
          'and the lists. The request visits nothing, looks nothing up, is not logged, and does not count as a check.',
      },
    },
  )
  .post(
    '/api/results/sign',
    ({ body: { link, says, goes_to }, service }) => ({
      signature: service.results.signMismatch(link, { says, goes_to }),
    }),
    {
      parse: [ownSite, ownHost, parseJsonObject],
      body: documented(SignRequestSchema, {
        description: 'JSON of at most 32 KiB, not encoded.',
        example: EXAMPLES.signRequest,
      }),
      response: {
        200: answer(SignedSchema, { description: 'The signature.', example: EXAMPLES.signed }),
        ...LINK_REFUSALS,
      },
      detail: {
        operationId: 'signResult',
        tags: ['Checks'],
        summary: 'Sign a result with the host that a message named',
        description:
          'Signs a result again that this service has signed, with `mismatch` as its last member: the host that a message ' +
          'named, and the host to which its link goes. Nothing is stored.',
      },
    },
  );
