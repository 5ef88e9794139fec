import { SENDING_SERVICES } from '#src/core/knowledge/mail/mail-senders.ts';
import type { Feature } from '#src/engine/analyzers/analyzer.ts';
import { isFreemail, type MailSender, siteOfAddress } from './mail-sender.ts';
import type { MailSubject } from './mail-subject.ts';
import { signal } from './message-analyzer.ts';

/** Features about addresses beside that of the sender. */
type AddressFeature =
  Feature<`sender.${'other_address' | 'reply_to_freemail' | 'reply_elsewhere' | 'return_elsewhere'}`>;

/** Classifies addresses of other sites in the sender's name, and those to which replies and bounces go. */
export function addressSignals(subject: MailSubject, sender: MailSender): readonly AddressFeature[] {
  const { message, isConversation } = subject;
  const says = message.head?.nameMismatch?.says;
  const isAddress = /\S@\S/.test(sender.name);
  const share = isConversation ? 0.3 : isAddress ? 1 : 0.8;
  return [
    ...(says ? signal('sender.other_address', share, { says, site: sender.site }) : []),
    ...(isConversation ? [] : [...replies(subject, sender), ...bounces(subject, sender)]),
  ];
}

/** Share of a free mailbox for the answers to a sender with a domain of its own. */
const OF_FIRM = 0.65;

/** The same for a confirmed sender without a story: a club that answers from the address of a member. */
const OF_CLUB = 0.2;

function replies({ message, knowledge, confirmation, textLures, hasStory, weak }: MailSubject, sender: MailSender) {
  const { replyTo, replyToIs } = message.head ?? {};
  const reply = replyTo?.[0] ? siteOfAddress(replyTo[0].address, knowledge) : null;
  if (reply === null || replyToIs === 'same') return [];
  const { site } = reply;
  const isElsewhere = site !== sender.site;
  const isConfirmed = confirmation.state === 'passed';
  // Nobody needs a second mailbox for answers at a service where the first one is.
  if (isFreemail(reply.host) && (isElsewhere || sender.isFreemail)) {
    const isOfClub = isConfirmed && !hasStory && !textLures.has('money');
    const share = sender.isFreemail ? 1 : isOfClub ? OF_CLUB : OF_FIRM;
    return signal('sender.reply_to_freemail', share, { site });
  }
  return isElsewhere ? signal('sender.reply_elsewhere', isConfirmed ? 0.4 : weak, { site }) : [];
}

function bounces({ message, knowledge, confirmation, weak }: MailSubject, sender: MailSender) {
  const { returnPath } = message.head ?? {};
  const bounce = returnPath ? siteOfAddress(returnPath, knowledge) : null;
  if (bounce === null || bounce.site === sender.site || confirmation.state === 'passed') return [];
  const isOfService = confirmation.state === 'service' && SENDING_SERVICES.has(bounce.host.site);
  return isOfService ? [] : signal('sender.return_elsewhere', weak, { site: bounce.site });
}
