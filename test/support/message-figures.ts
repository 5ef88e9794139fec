import type { MessageAssessment } from '#src/engine/mail-verdict/assess-message.ts';
import { classifyMail } from './classify-mail.ts';
import { SYNTHETIC_MAILS, type SyntheticMail } from './synthetic-mails.ts';

const DECISIONS = ['allow', 'warn', 'block'] as const;

/** A synthetic mail with its verdict. */
export type ClassifiedMail = SyntheticMail & MessageAssessment;

/** Classifies all synthetic mails. */
export function classifiedMails(): Promise<readonly ClassifiedMail[]> {
  return Promise.all(SYNTHETIC_MAILS.map(async (mail) => ({ ...mail, ...(await classifyMail(mail.source)) })));
}

/** Returns the verdicts on mails, as the tables of the model card have them: by kind, and by language. */
export function messageFigures(classified: readonly ClassifiedMail[]): string {
  const mails = classified.map(({ name, isFraud, decision }) => {
    const [kind = '', language = ''] = name.split('-');
    return { kind: `${isFraud ? 'fraud' : 'honest'}: ${kind}`, language, isFraud, decision };
  });
  const count = (some: typeof mails, decision: (typeof DECISIONS)[number]) =>
    some.filter((mail) => mail.decision === decision).length;
  const rows = Array.from(
    Map.groupBy(mails, ({ kind }) => kind),
    ([kind, some]) =>
      `| ${kind} | ${some.length} | ${DECISIONS.map((decision) => count(some, decision)).join(' | ')} |`,
  );
  const languages = Array.from(
    Map.groupBy(mails, ({ language }) => language),
    ([language, some]) => {
      const [fraud, honest] = [some.filter(({ isFraud }) => isFraud), some.filter(({ isFraud }) => !isFraud)];
      const caught = fraud.length - count(fraud, 'allow');
      return `| ${language} | ${caught} of ${fraud.length} | ${honest.length - count(honest, 'allow')} of ${honest.length} |`;
    },
  );
  return [
    ...['| kind | mails | allow | warn | block |', '| --- | --- | --- | --- | --- |', ...rows, ''],
    ...['| language | fraud caught | honest alarmed |', '| --- | --- | --- |', ...languages],
  ].join('\n');
}
