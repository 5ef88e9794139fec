import { classifyMail } from './classify-mail.ts';
import { SYNTHETIC_MAILS } from './synthetic-mails.ts';

const DECISIONS = ['allow', 'warn', 'block'] as const;

/** Returns the verdicts on the synthetic mails, as the tables of the model card have them: by kind, and by language. */
export async function messageFigures(): Promise<string> {
  const mails = await Promise.all(
    SYNTHETIC_MAILS.map(async ({ name, isFraud, source }) => {
      const [kind = '', language = ''] = name.split('-');
      const { decision } = await classifyMail(source);
      return { kind: `${isFraud ? 'fraud' : 'honest'}: ${kind}`, language, isFraud, decision };
    }),
  );
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
