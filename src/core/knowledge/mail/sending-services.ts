import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './sending-services.json' with { type: 'json' };

/** Domains by which services that send mail for others confirm it, if the sender has not set up its own. */
export const SENDING_SERVICES: ReadonlySet<string> = new Set(
  wordsIn(readFacts('sending-services.json', file, isNameLines)),
);
