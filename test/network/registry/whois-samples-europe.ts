import type { WhoisSample } from './whois-sample.ts';

/** Registries of Europe. */
export const WHOIS_SAMPLES_OF_EUROPE: readonly WhoisSample[] = [
  {
    registry: '.de',
    domain: 'example.de',
    text: '% Terms and Conditions of Use\n%\nDomain: example.de\nNserver: ns1.example.net\nNserver: ns2.example.de 192.0.2.1\nStatus: connect\nChanged: 2021-03-04T10:11:12+01:00\n',
    updated: '2021-03-04T09:11:12.000Z',
    statuses: ['connect'],
    nameservers: ['ns1.example.net', 'ns2.example.de'],
  },
  {
    registry: '.uk',
    domain: 'example.co.uk',
    text: `
    Domain name:
        example.co.uk

    Data validation:
        Nominet was able to match the registrant's name and address on 12-Jun-2014

    Registrar:
        Example Internet Ltd [Tag = EXAMPLE]
        URL: https://registrar.example

    Relevant dates:
        Registered on: 14-Feb-2003
        Expiry date:  14-Feb-2027
        Last updated:  10-Jan-2025

    Registration status:
        Registered until expiry date.

    Name servers:
        ns1.example.co.uk         192.0.2.1  2001:db8::1
        ns2.example.net

    WHOIS lookup made at 10:00:00 01-Jan-2026
`,
    registrar: 'Example Internet Ltd [Tag = EXAMPLE]',
    created: '2003-02-14T00:00:00.000Z',
    updated: '2025-01-10T00:00:00.000Z',
    expires: '2027-02-14T00:00:00.000Z',
    statuses: ['Registered until expiry date.'],
    nameservers: ['ns1.example.co.uk', 'ns2.example.net'],
  },
  {
    registry: '.uk, of before its records begin',
    domain: 'example.co.uk',
    text: '    Relevant dates:\n        Registered on: before Aug-1996\n        Expiry date:  13-Dec-2026\n',
    created: '1996-08-01T00:00:00.000Z',
    expires: '2026-12-13T00:00:00.000Z',
  },
  {
    registry: '.it',
    domain: 'example.it',
    text: `Domain:             example.it
Status:             ok
Signed:             no
Created:            1999-12-10 00:00:00
Last Update:        2025-04-21 01:05:36
Expire Date:        2026-04-05

Registrant
  Organization:     Example S.p.A.
  Address:          Roma
                    IT
  Created:          2018-03-01 10:50:53

Registrar
  Organization:     Example Registrar S.r.l.
  Name:             EXAMPLE-REG

Nameservers
  ns1.example.it
  ns2.example.it
`,
    registrar: 'Example Registrar S.r.l.',
    created: '1999-12-10T00:00:00.000Z',
    updated: '2025-04-21T01:05:36.000Z',
    expires: '2026-04-05T00:00:00.000Z',
    statuses: ['ok'],
    nameservers: ['ns1.example.it', 'ns2.example.it'],
  },
  {
    registry: '.fr',
    domain: 'example.fr',
    text: `%%
%% This is the AFNIC Whois server.
%%

domain:                        example.fr
status:                        ACTIVE
eppstatus:                     active
holder-c:                      E1-FRNIC
registrar:                     EXAMPLE SAS
Expiry Date:                   2026-12-31T09:00:00Z
created:                       2004-06-15T22:00:00Z
last-update:                   2025-11-20T09:00:00Z
source:                        FRNIC

nserver:                       ns1.example.fr [192.0.2.1 2001:db8::1]
nserver:                       ns2.example.net

registrar:                     EXAMPLE SAS
country:                       FR`,
    registrar: 'EXAMPLE SAS',
    created: '2004-06-15T22:00:00.000Z',
    updated: '2025-11-20T09:00:00.000Z',
    expires: '2026-12-31T09:00:00.000Z',
    statuses: ['ACTIVE'],
    nameservers: ['ns1.example.fr', 'ns2.example.net'],
  },
  {
    registry: '.pl',
    domain: 'example.pl',
    text: `DOMAIN NAME:           example.pl
registrant type:       organization
nameservers:           ns1.example.pl. [192.0.2.1]
                       ns2.example.net.
created:               2001.01.05 12:00:00
last modified:         2025.12.20 09:30:00
renewal date:          2027.01.04 12:00:00

REGISTRAR:
Example Sp. z o.o.
ul. Przykładowa 1
`,
    registrar: 'Example Sp. z o.o.',
    created: '2001-01-05T12:00:00.000Z',
    updated: '2025-12-20T09:30:00.000Z',
    expires: '2027-01-04T12:00:00.000Z',
    nameservers: ['ns1.example.pl', 'ns2.example.net'],
  },
  {
    registry: '.eu',
    domain: 'example.eu',
    text: `% The WHOIS service offered by EURid

Domain: example.eu
Script: LATIN

Registrant:
        NOT DISCLOSED!
        Visit www.eurid.eu for the web-based WHOIS.

Registrar:
        Name: Example Registrar NV
        Website: www.registrar.example

Name servers:
        ns1.example.eu (192.0.2.1)
        ns2.example.eu
`,
    registrar: 'Example Registrar NV',
    nameservers: ['ns1.example.eu', 'ns2.example.eu'],
  },
  {
    registry: '.nl',
    domain: 'example.nl',
    text: `Domain name: example.nl
Status:      active

Registrar:
   Example Hosting B.V.
   Straat 1
   1000AA AMSTERDAM
   Netherlands

Abuse Contact:
   +31.200000000

DNSSEC:      yes

Domain nameservers:
   ns1.example.nl         192.0.2.1
   ns2.example.nl

Creation Date: 1999-05-27
Updated Date: 2023-02-01
`,
    registrar: 'Example Hosting B.V.',
    created: '1999-05-27T00:00:00.000Z',
    updated: '2023-02-01T00:00:00.000Z',
    statuses: ['active'],
    nameservers: ['ns1.example.nl', 'ns2.example.nl'],
  },
  {
    registry: '.ru',
    domain: 'example.ru',
    text: `% TCI Whois Service.

domain:        EXAMPLE.RU
nserver:       ns1.example.ru. 192.0.2.1
nserver:       ns2.example.net.
state:         REGISTERED, DELEGATED, VERIFIED
registrar:     EXAMPLE-RU
created:       1997-09-23T09:45:07Z
paid-till:     2026-09-30T21:00:00Z
free-date:     2026-11-01
source:        TCI`,
    registrar: 'EXAMPLE-RU',
    created: '1997-09-23T09:45:07.000Z',
    expires: '2026-09-30T21:00:00.000Z',
    statuses: ['REGISTERED', 'DELEGATED', 'VERIFIED'],
    nameservers: ['ns1.example.ru', 'ns2.example.net'],
  },
  {
    registry: '.be',
    domain: 'example.be',
    text: 'Domain:\texample.be\nStatus:\tNOT AVAILABLE\nRegistered:\tTue Dec 12 2000\n\nRegistrar:\n\tName:\tExample BV\n\nNameservers:\n\tns1.example.be\n',
    registrar: 'Example BV',
    created: '2000-12-12T00:00:00.000Z',
    statuses: ['NOT AVAILABLE'],
    nameservers: ['ns1.example.be'],
  },
  {
    registry: '.fi',
    domain: 'example.fi',
    text: 'domain.............: example.fi\nstatus.............: Registered\ncreated............: 6.5.2003 10:00:00\nexpires............: 31.8.2026 10:00:00\n\nNameservers\n\nnserver............: ns1.example.fi [OK]\n\nRegistrar\n\nregistrar..........: Example Oy\n',
    registrar: 'Example Oy',
    created: '2003-05-06T10:00:00.000Z',
    expires: '2026-08-31T10:00:00.000Z',
    statuses: ['Registered'],
    nameservers: ['ns1.example.fi'],
  },
  {
    registry: '.cz, where contacts and name servers have dates of their own',
    domain: 'example.cz',
    text: 'domain:       example.cz\nregistrant:   SUB-1\nnsset:        NSS-1\nregistrar:    REG-EXAMPLE\nregistered:   16.02.2015 11:59:08\nchanged:      07.09.2018 12:04:05\nexpire:       16.02.2027\n\ncontact:      SUB-1\nname:         Example\nregistrar:    REG-OTHER\ncreated:      07.09.2001 11:18:03\n\nnsset:        NSS-1\nnserver:      ns1.example.cz\nnserver:      ns2.example.cz\ncreated:      01.10.1999 13:33:01\n',
    registrar: 'REG-EXAMPLE',
    created: '2015-02-16T11:59:08.000Z',
    updated: '2018-09-07T12:04:05.000Z',
    expires: '2027-02-16T00:00:00.000Z',
    nameservers: ['ns1.example.cz', 'ns2.example.cz'],
  },
  {
    registry: '.ua, where contacts have statuses of their own',
    domain: 'example.ua',
    text: 'domain:           example.ua\nnserver:          ns1.example.ua\nstatus:           ok\ncreated:          2018-02-01 15:53:47+02\nmodified:         2021-09-09 22:15:24+03\nexpires:          2027-02-01 15:53:47+02\n\n% Registrar:\n% ==========\nregistrar:        ua.example\n\n% Registrant:\nperson:           n/a\nstatus:           linked\ncreated:          2001-01-31 16:00:50+02\n',
    registrar: 'ua.example',
    created: '2018-02-01T13:53:47.000Z',
    updated: '2021-09-09T19:15:24.000Z',
    expires: '2027-02-01T13:53:47.000Z',
    statuses: ['ok'],
    nameservers: ['ns1.example.ua'],
  },
  {
    registry: '.at',
    domain: 'example.at',
    text: '% Copyright (c)2026 by NIC.AT\n\ndomain:         example.at\nregistrar:      Example GmbH ( https://nic.at/registrar/13 )\nregistrant:     <data not disclosed>\nnserver:        ns1.example.at\nremarks:        192.0.2.1\nchanged:        20160402 09:36:26\nsource:         AT-DOM\n\npersonname:     Example\nchanged:        20190327 18:59:04\n',
    registrar: 'Example GmbH',
    updated: '2016-04-02T09:36:26.000Z',
    nameservers: ['ns1.example.at'],
  },
  {
    registry: '.sk',
    domain: 'example.sk',
    text: 'Domain:                       example.sk\nRegistrar:                    EXA-0001\nCreated:                      2003-11-12\nUpdated:                      2025-11-07\nValid Until:                  2026-11-12\nNameserver:                   ns1.example.sk\nEPP Status:                   clientTransferProhibited, clientHold\n\nRegistrar:                    EXA-0001\nCreated:                      2017-09-04\n',
    registrar: 'EXA-0001',
    created: '2003-11-12T00:00:00.000Z',
    updated: '2025-11-07T00:00:00.000Z',
    expires: '2026-11-12T00:00:00.000Z',
    statuses: ['clientTransferProhibited', 'clientHold'],
    nameservers: ['ns1.example.sk'],
  },
  {
    registry: '.ac.uk',
    domain: 'example.ac.uk',
    text: 'Domain:\n\texample.ac.uk\n\nRegistered For:\n\tExample University\n\nRegistered By:\n\tExample Services Limited\n\nServers:\n\tns1.example.net\n\tns2.example.net\n\nRenewal date:\n\tTuesday 1st Feb 2028\n\nEntry updated:\n\tWednesday 13th October 2021\n\nEntry created:\n\tMonday 10th November 2003\n',
    registrar: 'Example Services Limited',
    created: '2003-11-10T00:00:00.000Z',
    updated: '2021-10-13T00:00:00.000Z',
    expires: '2028-02-01T00:00:00.000Z',
    nameservers: ['ns1.example.net', 'ns2.example.net'],
  },
  {
    registry: '.dk',
    domain: 'example.dk',
    text: 'Domain:               example.dk\nDNS:                  example.dk\nRegistered:           1999-01-10\nExpires:              2027-03-31\nRegistrar:            Example A/S\nVID:                  no\nStatus:               Active\n\nNameservers\nHostname:             ns1.example.dk\nHostname:             ns2.example.dk\n',
    registrar: 'Example A/S',
    created: '1999-01-10T00:00:00.000Z',
    expires: '2027-03-31T00:00:00.000Z',
    statuses: ['Active'],
    nameservers: ['ns1.example.dk', 'ns2.example.dk'],
  },
  {
    registry: '.se, with a state and statuses',
    domain: 'example.se',
    text: '# This whois printout is printed with UTF-8 encoding.\n#\nstate:            active\ndomain:           example.se\nholder:           abc\ncreated:          2003-08-27\nmodified:         2025-09-01\nexpires:          2026-10-20\nnserver:          ns1.example.se\nstatus:           serverUpdateProhibited\nstatus:           serverHold\nregistrar:        Example AB\n',
    registrar: 'Example AB',
    created: '2003-08-27T00:00:00.000Z',
    updated: '2025-09-01T00:00:00.000Z',
    expires: '2026-10-20T00:00:00.000Z',
    statuses: ['active', 'serverUpdateProhibited', 'serverHold'],
    nameservers: ['ns1.example.se'],
  },
  {
    registry: '.gg, in sentences',
    domain: 'example.gg',
    text: 'Domain:\n     example.gg\n\nDomain Status:\n     Active\n     Transfer Prohibited by Registrar\n\nRegistrar:\n     Example Limited (http://registrar.example)\n\nRelevant dates:\n     Registered on 08th November 2012 at 00:00:00.000\n     Registry fee due on 08th November each year\n\nName servers:\n     ns1.example.gg\n\n- exceeding query rate or volume limits.\n',
    registrar: 'Example Limited',
    created: '2012-11-08T00:00:00.000Z',
    statuses: ['Active', 'Transfer Prohibited by Registrar'],
    nameservers: ['ns1.example.gg'],
  },
];
