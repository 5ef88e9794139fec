import { type Static, Type } from '@sinclair/typebox';
import { boundedList, boundedText, boundedTextOrNull } from './bounded-schema.ts';

const LookalikeSchema = Type.Object(
  {
    character: boundedText('The character in the host'),
    looks_like: boundedText('The ASCII text that it resembles'),
  },
  { $id: 'Lookalike', description: 'A character that looks like ASCII' },
);

/** `analysis_details.host_parts`: parts of the host that show a person who owns it. */
export const HostPartsSchema = Type.Object(
  {
    ascii: boundedText('The host in lower-case ASCII (punycode)'),
    unicode: boundedText('The host in Unicode'),
    subdomain: boundedText('Labels left of the site; empty if there are none'),
    site: boundedText('The part of the host that one publisher controls; the host itself if it has no such part'),
    registrable_domain: boundedTextOrNull(
      'The domain that a registry registered; null for an address or a bare suffix',
    ),
    lookalikes: boundedList(LookalikeSchema, 'Characters that look like ASCII ones'),
  },
  { $id: 'HostParts', description: 'The parts of the host, which show who controls it' },
);

export type HostParts = Static<typeof HostPartsSchema>;
