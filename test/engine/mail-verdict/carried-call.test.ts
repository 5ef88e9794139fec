import { expect, test } from 'bun:test';
import { classifyMail, weightsOf } from '../../support/classify-mail.ts';

/** A mail of a service whose domain the receiving server confirms, with a link to the service. */
const carried = (from: string, subject: string, text: string) => {
  const domain = from.replace(/.*@|>.*/g, '');
  return [
    `Authentication-Results: mx.corp.example; spf=pass smtp.mailfrom=${domain}; dkim=pass header.d=${domain}; dmarc=pass header.from=${domain}`,
    'Received: from mail.service.example by mx.corp.example with ESMTP; today',
    `From: ${from}`,
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>${text.replaceAll('\n', '<br>')}</p><p><a href="https://www.${domain}/view/4711">View</a></p>`,
    '',
  ].join('\r\n');
};

const FRAUDS: readonly (readonly [from: string, subject: string, text: string])[] = [
  [
    'service@paypal.com <service@paypal.com>',
    'Invoice from Norton Renewals (0042)',
    'Norton Renewals sent you an invoice for $499.00 USD.\nSeller note to customer: You have been charged $499.00 for Norton 360. If you did not authorize this, call +1 (808) 555-0123.',
  ],
  [
    'PayPal <service@intl.paypal.com>',
    'Norton Renewals sent you a money request',
    'Norton Renewals requests $699.99 USD\nNote: Your account has been debited $699.99 for a Bitcoin purchase. Didn’t make this transaction? Contact PayPal customer support immediately at 1-808-555-0177 to get a refund.',
  ],
  [
    'Intuit QuickBooks <quickbooks@notification.intuit.com>',
    'Invoice 1042 from Geek Team',
    'Dear customer, your Geek Squad subscription has been renewed and $389.90 was charged to your card.\n\nTo cancel, call our billing department at +1 808 555 0142 within 24 hours. If you do not recognize this charge, reach us now.',
  ],
  [
    'Best Protection <invoice+statements@stripe.com>',
    'New invoice from Best Protection',
    'Your McAfee protection plan renewal was successful: $349.99. This amount will be deducted today. If this transaction was not made by you, dial toll free (808) 555-0155.',
  ],
  [
    'Help Desk via Square <invoicing@messaging.squareup.com>',
    'New invoice from Help Desk',
    'Payment of $599.00 is confirmed. Call us at +1.808.555.0119 if you did not place this order.',
  ],
  [
    'Zoho Invoice <message-service@sender.zohoinvoice.com>',
    'Payment confirmation',
    'Order confirmed: antivirus licence, $420. Not authorized by you? Helpline: +1 (808) 555-0188',
  ],
  [
    'Billing via DocuSign <dse@docusign.net>',
    'Complete with DocuSign: Receipt',
    'Your PayPal order has been processed and $745.00 will be charged. If you never authorized this payment, please call our support team at +1 (808) 555-0166.',
  ],
  [
    'Google Forms <forms-receipts-noreply@google.com>',
    'Payment receipt',
    'Thanks for filling out this form. Your transaction was successful. Amount debited: $412.\nUnauthorized transaction? Call +1 𝟖𝟎𝟖-𝟓𝟓𝟓-0131',
  ],
  [
    'Google Calendar <calendar-notification@google.com>',
    'Invitation: Renewal of your subscription',
    'Your subscription has been renewed for $379.99. If you didn’t authorise this charge, phone us on +44 808 555 0123.',
  ],
  [
    'Zoom <no-reply@zoom.us>',
    'Registration: Purchase Confirmation',
    'Your purchase has been processed: $529.10 charged. You did not make this purchase? Call the helpdesk: +1 (808) 555 0190',
  ],
  [
    'PayPal <service@paypal.com>',
    'Invoice from Renewals (0043)',
    'Seller note to customer: Norton 360 Deluxe for $499.99 USD. PayPal support is 1-888-221-1161. To dispute this charge, contact us within 24 hours: +1 (808) 555-0124',
  ],
  [
    'PayPal <service@paypal.de>',
    'Rechnung von Kundenservice',
    'Hinweis des Verkäufers: Von Ihrem Konto wurden 489,00 EUR abgebucht. Die Zahlung wurde bestätigt. Falls Sie diese Zahlung nicht autorisiert haben, rufen Sie sofort an: +49 32 5550 1422',
  ],
  [
    'PayPal <service@paypal.fr>',
    'Facture de Service Client',
    'Votre achat de 459 € est confirmé et sera débité. Si vous n’avez pas autorisé cet achat, appelez le +33 1 99 00 55 12.',
  ],
  [
    'PayPal <service@paypal.es>',
    'Factura de Soporte',
    'Su compra de 459 € fue confirmada. Si usted no autorizó este pago, llame al +34 900 555 012.',
  ],
];

test.each(FRAUDS)('a call-back that a third party wrote through %s is a warning: %s', async (from, subject, text) => {
  const assessed = await classifyMail(carried(from, subject, text));
  expect(assessed.decision).not.toBe('allow');
  const weights = weightsOf(assessed);
  expect(weights['scheme.callback']).toBeGreaterThan(3);
  expect(Object.keys(weights).filter((code) => code.startsWith('trust.'))).toEqual([]);
});

test.each([
  [
    'PayPal <service@paypal.com>',
    'Invoice from Alder Bikes (0017)',
    'Alder Bikes sent you an invoice for $129.00 USD. Seller note: Thank you for your order! Questions? Call us at (808) 555-0143.',
  ],
  [
    'PayPal <service@paypal.com>',
    'Receipt for your payment to Alder Bikes',
    'You sent a payment of $129.00 USD. Your payment was successful. Seller: Alder Bikes, +1 808-555-0143, hello@alder-bikes.example.\n\nThe charge will appear on your card statement as PAYPAL *ALDER.\n\nIf you did not authorize this transaction, report it in the Resolution Center.',
  ],
  [
    'PayPal <service@paypal.com>',
    'Receipt for your payment to Joe',
    'You paid $20.00 USD to Joe. If you did not authorize this payment, report it in the Resolution Center. Seller contact: Joe, +1 808-555-0123.',
  ],
  [
    'PayPal <service@paypal.com>',
    'Your payment was processed',
    'Your payment of $54.20 was processed. If you did not make this payment, call us at 1-888-221-1161.',
  ],
  [
    'Venmo <venmo@venmo.com>',
    'You paid Ruth Adler $25.00',
    'Your payment was completed. If you didn’t authorize this payment, contact us at (855) 812-4430.',
  ],
  [
    'Intuit QuickBooks <quickbooks@notification.intuit.com>',
    'Invoice 2208 from Hill Plumbing',
    'Dear customer, your invoice for $480.00 is attached. Please call our office at (808) 555-0107 with any questions. Your card will be charged on the 15th.',
  ],
  [
    'Corner Gym <invoice+statements@stripe.com>',
    'Your receipt from Corner Gym',
    'Your membership has been renewed: $39.00 was charged to your card. To cancel your membership, call us at +1 808 555 0111.',
  ],
  [
    'Dental Studio via Square <receipts@messaging.squareup.com>',
    'Receipt from Dental Studio',
    'Payment received: $90.00. Please give us 24 hours notice to cancel an appointment: call (808) 555-0150.',
  ],
  [
    'Nora Lind <mail@freshbooks.com>',
    'Nora Lind sent you an invoice',
    'Invoice 31 for translation, $640.00. Payment by card is confirmed within a day. Phone: +1 (808) 555-0162',
  ],
  [
    'Studio Verde <message-service@sender.zohoinvoice.com>',
    'Conferma del pagamento',
    'Il pagamento di 320,00 € è stato confermato. Per domande chiami il nostro numero +39 06 5550 1422.',
  ],
  [
    'PayPal <service@paypal.de>',
    'Beleg für Ihre Zahlung an Fahrrad Erle',
    'Ihre Zahlung von 89,00 EUR wurde bestätigt. Verkäufer: Fahrrad Erle, +49 32 5550 1455.\nKäuferschutz: Sie haben 180 Tage Zeit.\n\nFalls Sie diese Zahlung nicht autorisiert haben, melden Sie das bitte in Ihrem PayPal-Konto.',
  ],
  [
    'PayPal <service@paypal.fr>',
    'Facture de Atelier Dubois',
    'Votre achat est confirmé : 75,00 €. Une question ? Appelez notre service au +33 1 99 00 55 77.',
  ],
  [
    'Taller Sol <invoicing@messaging.squareup.com>',
    'Nueva factura de Taller Sol',
    'Pago confirmado: 210 €. Para cancelar una cita, llame al +34 900 555 077.',
  ],
  [
    'Billing via DocuSign <dse@docusign.net>',
    'Please DocuSign: Lease agreement',
    'Your service order is ready to sign; the amount charged each month is $1,200. Contact our office at (808) 555-0181 for changes.',
  ],
  [
    'Google Calendar <calendar-notification@google.com>',
    'Invitation: Weekly call',
    'Join by phone: +1 808-555-0120, PIN 4711. If you did not request this invitation, ignore it.',
  ],
  [
    'Zoom <no-reply@zoom.us>',
    'Registration confirmed: Payment workshop',
    'Your payment was received: $20. Dial in at +1 808 555 0199. You can cancel your registration at any time.',
  ],
  [
    'Jan Smit <message@post.xero.com>',
    'Factuur INV-77 van Smit Staal',
    'De betaling van 560 euro is verwerkt. Vragen? Bel ons op +31 20 555 0142.',
  ],
] as const)('an honest mail through %s is allowed: %s', async (from, subject, text) => {
  const assessed = await classifyMail(carried(from, subject, text));
  expect([assessed.decision, weightsOf(assessed)['scheme.callback']]).toEqual(['allow', undefined]);
});

test('a member of a mailing list who quotes such a note is allowed', async () => {
  const [, subject, text] = FRAUDS[0] ?? ['', '', ''];
  const quoted = carried('Ruth <ruth@google.com>', subject, text);
  const list = `List-Id: <a.example>\r\nList-Post: <mailto:a@lists.example>\r\n`;
  expect((await classifyMail(quoted.replace('MIME-Version', `${list}MIME-Version`))).decision).toBe('allow');
});
