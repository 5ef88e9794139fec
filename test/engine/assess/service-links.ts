import { createRandom } from '#test/support/random.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const WORD = `${DIGITS}${LOWER}${LOWER.toUpperCase()}`;
const BASE64 = `${WORD}-_`;

/** Ordinary names of organisations and of their sites. */
const TENANTS =
  'acme-metals birkenhof citylibrary delta-print elmstreet-clinic fjordfoods greenfields-school harbourtown isar-bau juniper-labs kestrel lindenau-ev meadowbank nordsee-reisen oakridge pinecrest quarryhill riverside-dental stadtwerke-muster talwind'.split(
    ' ',
  );
const SENDERS = TENANTS.map((name, at) => `${name}.${['com', 'de', 'org', 'co.uk', 'fr', 'nl', 'it', 'pl'][at % 8]}`);
const PATHS = 'invoice.pdf report-2026.xlsx catalogue.pdf photos.zip minutes.docx price-list.pdf index.html'.split(' ');

type Random = ReturnType<typeof createRandom>;

/** Draws one link in the form that a service documents, for a tenant and a sender's domain. */
type Form = (random: Random, tenant: string, sender: string) => string;

const text = (random: Random, length: number, alphabet: string) =>
  Array.from({ length }, () => random.pick([...alphabet])).join('');

/** Links that a service's program writes: what stands in them is no choice of the sender, or that of an honest tenant. */
export const SERVICE_FORMS: Readonly<Record<string, Form>> = {
  SendGrid: (r) => `https://u${text(r, 8, DIGITS)}.ct.sendgrid.net/ls/click?upn=u001.${text(r, 180, BASE64)}`,
  'SendGrid, sender': (r, _, sender) =>
    `https://url${text(r, 4, DIGITS)}.${sender}/ls/click?upn=u001.${text(r, 180, BASE64)}`,
  'Amazon SES': (r) =>
    `https://${text(r, 8, `${DIGITS}${LOWER}`)}.r.eu-central-1.awstrack.me/I0/${text(r, 40, HEX)}/${text(r, 27, BASE64)}=${text(r, 3, DIGITS)}`,
  Mailjet: (r) =>
    `https://${text(r, 5, `${DIGITS}${LOWER}`)}.mjt.lu/lnk/${text(r, 48, BASE64)}/1/${text(r, 22, BASE64)}/aHR0`,
  HubSpot: (r) => `https://d${text(r, 6, WORD)}.na1.hs-sales-engage.com/Ctc/${text(r, 6, WORD)}/${text(r, 200, WORD)}`,
  'HubSpot, mails': (r) => `https://${text(r, 8, WORD)}.eu1.hubspotlinks.com/Ctc/W8+113/${text(r, 180, WORD)}`,
  Brevo: (r) =>
    `https://${text(r, 8, LOWER)}.r.af.d.sendibt3.com/mk/cl/f/sh/${text(r, 90, WORD)}/${text(r, 12, BASE64)}`,
  'Brevo, sender': (r, _, sender) => `https://r.mail.${sender}/mk/cl/f/sh/${text(r, 90, WORD)}/${text(r, 12, BASE64)}`,
  'Mailgun, sender': (r, _, sender) => `https://email.mg.${sender}/c/eJx${text(r, 180, BASE64)}`,
  Mailchimp: (r, tenant) =>
    `https://${tenant}.us${r.below(20) + 1}.list-manage.com/track/click?u=${text(r, 25, HEX)}&id=${text(r, 10, HEX)}&e=${text(r, 10, HEX)}`,
  Mandrill: (r, _, sender) =>
    `https://mandrillapp.com/track/click/${text(r, 8, DIGITS)}/${sender}?p=${text(r, 160, BASE64)}`,
  Klaviyo: (r) =>
    `https://ctrk.klclick${r.below(3) + 1}.com/l/01${text(r, 24, `${DIGITS}ABCDEFGHJKMNPQRSTVWXYZ`)}_${r.below(9)}`,
  'Klaviyo, sender': (r, _, sender) => `https://trk.${sender}/ls/click?upn=u001.${text(r, 160, BASE64)}`,
  Salesforce: (r) => `https://click.s${r.below(12)}.exct.net/?qs=${text(r, 64, HEX)}`,
  'Salesforce, sender': (r, _, sender) => `https://click.news.${sender}/?qs=${text(r, 64, HEX)}`,
  ActiveCampaign: (r, tenant) =>
    `https://${tenant}.acemlnb.com/lt.php?x=3TxtmrU${text(r, 30, BASE64)}&s=${text(r, 32, HEX)}`,
  'Customer.io': (r) => `https://e.customeriomail.com/e/c/eyJ${text(r, 160, BASE64)}/${text(r, 64, HEX)}`,
  Postmark: (r, _, sender) =>
    `https://click.pstmrk.it/3s/www.${sender}%2Forders%2F${text(r, 5, DIGITS)}/${text(r, 6, WORD)}/AQ/${text(r, 36, HEX)}/1/${text(r, 10, BASE64)}`,
  SparkPost: (r) =>
    `https://${text(r, 6, LOWER)}.spgo.io/f/a/${text(r, 22, BASE64)}~~/AAAAAQA~/${text(r, 120, BASE64)}~~`,
  'SparkPost, sender': (r, _, sender) =>
    `https://go.${sender}/f/a/${text(r, 22, BASE64)}~~/AAAAAQA~/${text(r, 120, BASE64)}~~`,
  'Campaign Monitor': (r, tenant) =>
    `https://${tenant}.createsend1.com/t/j-l-${text(r, 8, LOWER)}-${text(r, 10, LOWER)}-r/`,
  Kit: (r) =>
    `https://${text(r, 20, `${DIGITS}${LOWER}`)}.convertkit-mail2.com/c/${text(r, 20, HEX)}/${text(r, 16, HEX)}`,
  'b-io.me': (r) => `https://${text(r, 8, `${DIGITS}${LOWER}`)}.b-io.me/${text(r, 40, BASE64)}`,
  'Constant Contact': (r) => `https://${text(r, 9, `${DIGITS}${LOWER}`)}.rs6.net/tn.jsp?f=001${text(r, 150, BASE64)}==`,
  Sophos: (r, _, sender) =>
    `https://eu-central-1.protection.sophos.com/?d=${sender}&u=${btoa(`https://www.${sender}/news`)}&i=${text(r, 32, BASE64)}&t=${text(r, 60, BASE64)}&h=${text(r, 32, HEX)}`,
  'Proofpoint Essentials': (r) => `https://url.emailprotection.link/?b${text(r, 190, BASE64)}`,
  Mimecast: (r, _, sender) => `https://url.uk.m.mimecastprotect.com/s/${text(r, 27, WORD)}?domain=${sender}`,
  'Mimecast, hidden': (r) => `https://protect-eu.mimecast.com/s/${text(r, 21, WORD)}`,
  Barracuda: (r, _, sender) =>
    `https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fwww.${sender}%2fnews&c=E,1,${text(r, 90, BASE64)}&typo=1`,
  'Safe Links': (r, _, sender) =>
    `https://eur0${r.below(5) + 1}.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.${sender}%2Fnews&data=05%7C02%7Cinfo%40${sender}%7C${text(r, 32, HEX)}%7C0%7C0%7C638&sdata=${text(r, 44, BASE64)}%3D&reserved=0`,
  'SharePoint, personal': (r, tenant) =>
    `https://${tenant}-my.sharepoint.com/:b:/g/personal/anna_meyer_${tenant}_de/E${text(r, 45, BASE64)}?e=${text(r, 6, WORD)}`,
  'SharePoint, team': (r, tenant) =>
    `https://${tenant}.sharepoint.com/:x:/s/Marketing/E${text(r, 45, BASE64)}?e=${text(r, 6, WORD)}`,
  OneDrive: (r) => `https://1drv.ms/${r.pick(['b', 'w', 'x', 'f'])}/s!A${text(r, 30, BASE64)}?e=${text(r, 6, WORD)}`,
  'Google Drive': (r) => `https://drive.google.com/file/d/1${text(r, 32, BASE64)}/view?usp=sharing`,
  'Google Docs': (r) => `https://docs.google.com/document/d/1${text(r, 43, BASE64)}/edit?usp=sharing`,
  'Google Forms': (r) => `https://docs.google.com/forms/d/e/1FAIpQLS${text(r, 48, BASE64)}/viewform`,
  Dropbox: (r) =>
    `https://www.dropbox.com/scl/fi/${text(r, 21, `${DIGITS}${LOWER}`)}/${r.pick(PATHS)}?rlkey=${text(r, 25, `${DIGITS}${LOWER}`)}&dl=0`,
  Box: (r) => `https://app.box.com/s/${text(r, 32, `${DIGITS}${LOWER}`)}`,
  Notion: (r, tenant) => `https://${tenant}.notion.site/Handbook-${text(r, 32, HEX)}`,
  Typeform: (r, tenant) => `https://${tenant}.typeform.com/to/${text(r, 8, WORD)}`,
  Jotform: (r) => `https://form.jotform.com/2${text(r, 14, DIGITS)}`,
  'Firebase storage': (r, tenant) =>
    `https://firebasestorage.googleapis.com/v0/b/${tenant}.appspot.com/o/${r.pick(PATHS)}?alt=media&token=${text(r, 8, HEX)}-${text(r, 4, HEX)}-4${text(r, 3, HEX)}-a${text(r, 3, HEX)}-${text(r, 12, HEX)}`,
  CloudFront: (r) =>
    `https://d${text(r, 13, `${DIGITS}${LOWER}`)}.cloudfront.net/${r.pick(['app/', 'docs/', ''])}${r.pick(PATHS)}`,
  'R2, public bucket': (r) => `https://pub-${text(r, 32, HEX)}.r2.dev/${r.pick(PATHS.slice(0, -1))}`,
};

/** Draws links of a form. */
export function serviceLinks(form: Form, count: number): string[] {
  const random = createRandom(7);
  return Array.from({ length: count }, (_, at) =>
    form(random, TENANTS[at % TENANTS.length] ?? '', SENDERS[at % SENDERS.length] ?? ''),
  );
}
