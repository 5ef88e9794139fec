import { expect, test } from 'bun:test';
import { headOf } from './mails.ts';

const PASS = 'spf=pass smtp.mailfrom=paypal.com; dkim=pass header.d=paypal.com; dmarc=pass header.from=paypal.com';
const OWN = 'Received: from evil.example by mx.corp.example with ESMTP';

/** Hops within a mail service, the last on top, and the server that takes mails from outside. */
const GOOGLE = 'Received: by 2002:a05:7208:910d:b0:9a:4f4b:6e2b with SMTP id x13csp1; today';
const GOOGLE_EDGE =
  'Received: from a.example (a.example. [192.0.2.1])\r\n        by mx.google.com with ESMTPS id x1; today';
const GOOGLE_RESULTS = `ARC-Authentication-Results: i=1; mx.google.com;\r\n       ${PASS}`;
const STORE =
  'Received: from AS8PR08MB1234.eurprd08.prod.outlook.com (::1) by\r\n DB9PR08MB5678.eurprd08.prod.outlook.com with HTTPS; today';
const HUB =
  'Received: from AM5EUR03FT012.eop-EUR03.prod.protection.outlook.com\r\n (2603:10a6:cafe::2a) by AS8PR08MB1234.outlook.office365.com (2603:10a6::11)\r\n with Microsoft SMTP Server (version=TLS1_3) id 15.20 via Frontend Transport; today';
const EXCHANGE_EDGE =
  'Received: from mail.prod.outlook.com (192.0.2.1) by\r\n AM5EUR03FT012.mail.protection.outlook.com (10.167.242.41) with Microsoft SMTP Server id 15.20; today';
const EXCHANGE_RESULTS = `Authentication-Results: ${PASS};compauth=pass reason=100`;
const RECEIVED_SPF = 'Received-SPF: Pass (protection.outlook.com: domain of paypal.com)';
const LMTP = 'Received: from mx.corp.example ([172.22.1.253])\r\n\tby 1a2b3c with LMTP id 4; today';
const NAMED_RESULTS = `Authentication-Results: mx.corp.example; ${PASS}`;

/** Headers that mail services write above those of a sender, as their users saved them. */
const YAHOO_SERVER = 'atlas-production.v2-mail-prod1-gq1.omega.yahoo.com';
const YAHOO_HOP = `Received: from 127.0.0.1\r\n by ${YAHOO_SERVER} pod-id atlas--production-gq1-fb5-6l2jz.gq1.yahoo.com with HTTP; today`;
const YAHOO_EDGE =
  'Received: from 192.0.2.1 (EHLO mta.a.example)\r\n by 10.253.233.86 with SMTPs\r\n (version=TLS1_3 cipher=TLS_AES_128_GCM_SHA256);\r\n today';
const YAHOO = [
  YAHOO_HOP,
  'Return-Path: <x@paypal.com>',
  'X-Originating-Ip: [192.0.2.1]',
  'Received-SPF: pass (domain of paypal.com designates 192.0.2.1 as permitted sender)',
  `Authentication-Results: ${YAHOO_SERVER};\r\n dkim=pass header.i=@paypal.com header.s=a arc_overridden_status=NOT_OVERRIDDEN;\r\n spf=pass smtp.mailfrom=paypal.com;\r\n dmarc=pass(p=REJECT) header.from=paypal.com;`,
  'X-Apparently-To: a@yahoo.com; today',
  YAHOO_EDGE,
];
const AOL = YAHOO.map((header) =>
  header
    .replace(/from 127.*HTTP;/s, 'from 10.253.37.223\r\n by atlas201.aol.mail.gq1.yahoo.com with HTTPS;')
    .replace(YAHOO_SERVER, 'atlas201.aol.mail.gq1.yahoo.com'),
);
const FASTMAIL_FILTER =
  'Received: from mailmx.phl.internal (localhost [127.0.0.1])\r\n    by phl-mx-04.messagingengine.com (Authentication Milter) with ESMTP\r\n    id 35.28; today';
const FASTMAIL_STATED = 'Authentication-Results: phl-mx-04.messagingengine.com;\r\n   ';
const FASTMAIL_EDGE =
  'Received: from a.example (a.example [192.0.2.1])\r\n\t(No client certificate requested)\r\n\tby phl-mx-04.messagingengine.com (Postfix) with ESMTPS id 28\r\n\tfor <a@fastmail.com>; today';
const FASTMAIL = [
  'Return-Path: <x@paypal.com>',
  'Received: from ams-compute-02.internal (ams-compute-02.internal [10.64.2.62])\r\n\t by slotai03m05 (Cyrus 3.13.7-fm) with LMTPA;\r\n\t today',
  'X-Sieve: CMU Sieve 3.0',
  'X-Delivered-to: a@fastmail.com',
  'Received: from phl-mx-04 ([10.202.2.203])\r\n  by ams-compute-02.internal (LMTPProxy); today',
  'Received: from phl-mx-04.messagingengine.com (localhost [127.0.0.1])\r\n\tby mailmx.phl.internal (Postfix) with ESMTP id A7\r\n\tfor <a@fastmail.com>; today',
  FASTMAIL_FILTER,
  `ARC-Authentication-Results: i=1; phl-mx-04.messagingengine.com; ${PASS}`,
  `${FASTMAIL_STATED} x-csa=none; x-ptr=pass smtp.helo=a.example`,
  `${FASTMAIL_STATED} dkim2=none (no signatures found);\r\n ${PASS}`,
  'X-ME-VSScore: 20',
  'Received-SPF: pass\r\n    (paypal.com: Sender is authorized) receiver=phl-mx-04.messagingengine.com',
  FASTMAIL_EDGE,
];
const GMX_EDGE =
  'Received: from a.example ([192.0.2.1]) by mx-ha.gmx.net (mxgmx103\r\n [212.227.17.5]) with ESMTPS (Nemesis) id 1N5W0m for\r\n <a@gmx.de>; today';
const GMX_RESULTS = 'Authentication-Results:  gmx.net; dkim=pass header.i=@paypal.com';
const PROTON_EDGE =
  'Received: from a.example (a.example [192.0.2.1]) (using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384\r\n (256/256 bits)) by mailin012.protonmail.ch (Postfix) with ESMTPS id 4Q for <a@pm.me>; today';
const PROTON_RESULTS = [
  'Authentication-Results: mail.protonmail.ch; dkim=pass (Good 1024\r\n    bit rsa-sha256 signature) header.d=paypal.com header.a=rsa-sha256',
  'Authentication-Results: mail.protonmail.ch; dmarc=pass (p=reject dis=none)\r\n header.from=paypal.com',
  'Authentication-Results: mail.protonmail.ch; spf=pass smtp.mailfrom=paypal.com',
  'Authentication-Results: mail.protonmail.ch; arc=none smtp.remote-ip=192.0.2.1',
];
const PROTON = ['X-Original-To: a@pm.me', 'Delivered-To: a@pm.me', ...PROTON_RESULTS, PROTON_EDGE];
const ZOHO = [
  'Delivered-To: a@b.example',
  'Received-SPF: pass (zohomail.com: domain of paypal.com designates 192.0.2.1 as permitted sender) client-ip=192.0.2.1;',
  'Authentication-Results: mx.zohomail.com;\r\n\tdkim=pass;\r\n\tspf=pass (zohomail.com: ok)  smtp.mailfrom=x@paypal.com;\r\n\tdmarc=pass(p=reject dis=none)  header.from=paypal.com',
  'ARC-Seal: i=1; a=rsa-sha256; d=zohomail.com; s=zohoarc',
  'Return-Path: <x@paypal.com>',
  'Received: from a.example (a.example [192.0.2.1]) by mx.zohomail.com\r\n\twith SMTPS id 1508790023478635.29; today',
];

test.each([
  ['Yahoo', YAHOO, YAHOO_SERVER, ['dkim', 'spf', 'dmarc']],
  ['AOL', AOL, 'atlas201.aol.mail.gq1.yahoo.com', ['dkim', 'spf', 'dmarc']],
  ['Fastmail', FASTMAIL, 'phl-mx-04.messagingengine.com', ['spf', 'dkim', 'dmarc']],
  ['GMX', ['Return-Path: <x@paypal.com>', GMX_RESULTS, GMX_EDGE], 'gmx.net', ['dkim']],
  ['Proton', PROTON, 'mail.protonmail.ch', ['dkim', 'dmarc', 'spf']],
  ['Zoho', ZOHO, 'mx.zohomail.com', ['dkim', 'spf', 'dmarc']],
])('shows results of %s in a mail that its user saved', async (_, headers, server, methods) => {
  const { authentication } = (await headOf(...headers)) ?? {};
  expect(authentication?.server).toBe(server);
  expect(authentication?.results.map(({ method, result }) => `${method}=${result}`)).toEqual(
    methods.map((method) => `${method}=pass`),
  );
  // The same headers may come from a sender below those of any other server, and without a server that took the mail.
  for (const other of [OWN, GOOGLE_EDGE, EXCHANGE_EDGE, YAHOO_EDGE, FASTMAIL_EDGE, GMX_EDGE, PROTON_EDGE])
    expect((await headOf(other, ...headers))?.authentication).toBeNull();
  expect((await headOf(LMTP, OWN, ...headers))?.authentication).toBeNull();
  expect((await headOf('Subject: x', ...headers))?.authentication).toBeNull();
  expect((await headOf(...headers.slice(0, -1)))?.authentication).toBeNull();
});

test.each([
  ['Yahoo', [YAHOO_HOP, 'Authentication-Results: atlas9.yahoo.com; dkim=pass header.d=paypal.com', YAHOO_EDGE]],
  ['Yahoo, taken by another server', [YAHOO_HOP.replace('with HTTP', 'with ESMTP'), ...YAHOO.slice(1)]],
  ['Yahoo, from a public address', [YAHOO_HOP.replace('127.0.0.1', '192.0.2.1'), ...YAHOO.slice(1)]],
  ['Fastmail, from another server', FASTMAIL.map((header) => header.replaceAll('[127.0.0.1]', '[192.0.2.1]'))],
  ['Fastmail, by a server of another', FASTMAIL.map((header) => header.replace('(LMTPProxy)', '(Postfix) with ESMTP'))],
  ['Fastmail, behind a proxy of another', FASTMAIL.map((header) => header.replace('mailmx.phl', 'mx1.ec2'))],
  ['GMX', [GMX_RESULTS, GMX_EDGE.replace('mx-ha.gmx.net', 'mx-ha.gmx.net.evil.example')]],
  ['GMX in the name of Proton', [GMX_RESULTS, PROTON_EDGE]],
  ['Proton', [...PROTON_RESULTS, PROTON_EDGE.replace('mailin012', 'mail-41103')]],
])('shows no results of %s that do not have its form', async (_, headers) => {
  expect((await headOf(...headers))?.authentication).toBeNull();
});

/** Names by which a client makes a trace begin like that of a hop within a service; servers copy them. */
test.each([
  'a by b with LMTP',
  'a by b with LMTP id 1;',
  'a by b with LMTP (',
  'a by b with LMTP "',
  `127.0.0.1 by ${YAHOO_SERVER} with HTTP`,
  `127.0.0.1 by ${YAHOO_SERVER} with HTTP;`,
  'a ([10.1.2.3]) by b.internal (LMTPProxy)',
  'a ([10.1.2.3]) by b.internal (LMTPProxy);',
  'b.outlook.com (::1) by b.outlook.office365.com with HTTPS id',
])('shows no results below a server to which a client calls itself %p', async (name) => {
  const taken = `Received: from ${name} (evil.example [192.0.2.1])\r\n\tby mx.corp.example (Postfix) with ESMTP id 1; today`;
  const forged = [`Authentication-Results: mx.corp.example; ${PASS}`, 'Received-SPF: Pass', OWN];
  expect((await headOf(taken, ...forged))?.authentication).toBeNull();
  for (const headers of [YAHOO, FASTMAIL]) expect((await headOf(taken, ...headers))?.authentication).toBeNull();
});

test.each([
  [
    'mx.google.com',
    ['Delivered-To: a@gmail.com', GOOGLE, 'X-Received: by 2002:a05::', GOOGLE_RESULTS, 'Return-Path: <x>', GOOGLE_EDGE],
  ],
  [null, [STORE, HUB, EXCHANGE_RESULTS, RECEIVED_SPF, EXCHANGE_EDGE]],
  ['mx.corp.example', ['Return-Path: <x@evil.example>', LMTP, NAMED_RESULTS, OWN]],
])('shows results of %p above hops within the service of the receiver', async (server, headers) => {
  const { authentication } = (await headOf(...headers)) ?? {};
  expect(authentication).toMatchObject({
    server,
    results: [{ method: 'spf' }, {}, { method: 'dmarc', result: 'pass' }],
  });
});

test.each([
  ['above a server that others reach', [OWN, GOOGLE, GOOGLE_RESULTS, GOOGLE_EDGE]],
  ['of Google below the server that others reach', [GOOGLE, GOOGLE_EDGE, GOOGLE_RESULTS, GOOGLE, GOOGLE_EDGE]],
  ['of Google in the name of another', [GOOGLE, GOOGLE_RESULTS, OWN]],
  ['above a server with a public address', [GOOGLE.replace('2002:a05', '2002:c05'), GOOGLE_RESULTS, GOOGLE_EDGE]],
  [
    'of Exchange below the server that others reach',
    [STORE, EXCHANGE_EDGE, EXCHANGE_RESULTS, RECEIVED_SPF, EXCHANGE_EDGE],
  ],
  ['of Exchange below a server that names itself so', [OWN, STORE, EXCHANGE_RESULTS, RECEIVED_SPF, EXCHANGE_EDGE]],
  ['of Exchange below a program of a user', [STORE, STORE.replace('HTTPS', 'mapi'), EXCHANGE_RESULTS, RECEIVED_SPF]],
  ['below LMTP in the name of another', [LMTP, NAMED_RESULTS, OWN.replace('mx.corp', 'mx.other')]],
  ['below a sender who calls himself so', [OWN.replace('ESMTP', 'ESMTP (with LMTP)'), NAMED_RESULTS, OWN]],
])('shows no results %s', async (_, headers) => {
  expect((await headOf(...headers))?.authentication).toBeNull();
});
