import { mapWith, objectWith, textLike } from '#src/core/base/guard.ts';
import { readFacts } from '../../fact-file.ts';
import file from './link-wrappers.json' with { type: 'json' };
import { type LinkWrapper, readWrappers, type WrapperTable, wrapperTable } from './wrapper-table.ts';

const isServices = mapWith(textLike(/^[!-~]+(?: [!-~]+)*$/));
const isKinds = objectWith({ protector: isServices, tracker: isServices, redirector: isServices });

const { protector, tracker, redirector } = readFacts('link-wrappers.json', file, isKinds);

/** Services that put themselves before the links of mails: link protection, click trackers, and a few redirectors. */
export const LINK_WRAPPERS: readonly LinkWrapper[] = Object.entries({ protector, tracker, redirector }).flatMap(
  ([kind, services]) =>
    Object.entries(services).flatMap(([service, places]) => readWrappers(kind as LinkWrapper['kind'], service, places)),
);

/** Finds the service before a link of a mail. */
export const mailWrapperOf: WrapperTable = wrapperTable(LINK_WRAPPERS);
