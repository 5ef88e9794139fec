import { broken, type Examination, type Finding, well } from '#src/app/doctor/finding.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readServiceAuthorities } from '#src/network/egress/egress.ts';
import { findSendmail } from '#src/parts/monitoring/notifications/mail.ts';
import { receiverProblem } from '#src/parts/monitoring/notifications/webhook.ts';

/** The receivers of notifications; none is sent. */
export const examineNotifications: Examination = async (config) => {
  const { webhook_url: url, mail_to: to } = config;
  if (url === null && to.length === 0) return [well('notifications', 'No receiver is configured.')];
  return [...(url === null ? [] : [await examineReceiver(url, config)]), ...(to.length === 0 ? [] : [examineMail()])];
};

async function examineReceiver(url: string, config: Parameters<typeof readServiceAuthorities>[0]): Promise<Finding> {
  try {
    const problem = await receiverProblem(url, await readServiceAuthorities(config));
    if (problem === null) return well('notifications', 'The receiver of the webhook answers.');
    const advice = 'Correct webhook_url; egress_ca names the certificate of an authority of your own.';
    return broken('notifications', `Webhook: ${problem}.`, advice);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return broken('notifications', error.message, 'Correct the file that egress_ca names.');
  }
}

function examineMail(): Finding {
  const path = findSendmail();
  return path === null
    ? broken('notifications', 'This host has no sendmail.', 'Install a mail server, or remove mail_to.')
    : well('notifications', `Mails are passed to ${path}.`);
}
