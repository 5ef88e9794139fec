/** One registry's layout, written after its public documentation, with made-up names. */
export interface WhoisSample {
  readonly registry: string;
  readonly domain: string;
  readonly text: string;
  readonly registrar?: string;
  readonly created?: string;
  readonly updated?: string;
  readonly expires?: string;
  readonly statuses?: readonly string[];
  readonly nameservers?: readonly string[];
  readonly country?: string;
  readonly referral?: string;
}

export const WHOIS_SAMPLES: readonly WhoisSample[] = [
  {
    registry: 'Verisign',
    domain: 'example.com',
    text: `   Domain Name: EXAMPLE.COM
   Registry Domain ID: 1_DOMAIN_COM-VRSN
   Registrar WHOIS Server: whois.registrar.example
   Registrar URL: http://www.registrar.example
   Updated Date: 2024-08-14T07:01:34Z
   Creation Date: 1995-08-14T04:00:00Z
   Registry Expiry Date: 2030-08-13T04:00:00Z
   Registrar: Example Registrar, Inc.
   Domain Status: clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited
   Name Server: A.IANA-SERVERS.NET
   Name Server: B.IANA-SERVERS.NET
>>> Last update of whois database: 2026-01-01T00:00:00Z <<<

NOTICE: The expiration date displayed in this record is the date the
registrar's sponsorship of the domain name registration is set to expire.`,
    registrar: 'Example Registrar, Inc.',
    created: '1995-08-14T04:00:00.000Z',
    updated: '2024-08-14T07:01:34.000Z',
    expires: '2030-08-13T04:00:00.000Z',
    statuses: ['clientDeleteProhibited'],
    nameservers: ['a.iana-servers.net', 'b.iana-servers.net'],
    referral: 'whois.registrar.example',
  },
  {
    registry: 'a registrar with withheld contacts',
    domain: 'example.org',
    text: `Domain Name: example.org
Registrar: Example Registrar
Creation Date: 2025-12-20T10:00:00Z
Registrar Registration Expiration Date: 2026-12-20T10:00:00Z
Registrant Name: REDACTED FOR PRIVACY
Registrant Country: IS
Admin Country: REDACTED FOR PRIVACY`,
    registrar: 'Example Registrar',
    created: '2025-12-20T10:00:00.000Z',
    expires: '2026-12-20T10:00:00.000Z',
    country: 'IS',
  },
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
    expires: '2026-12-13T00:00:00.000Z',
  },
  {
    registry: '.jp',
    domain: 'example.jp',
    text: `[ JPRS database provides information on network administration. ]

Domain Information:
[Domain Name]                   EXAMPLE.JP

[Registrant]                    Example Co.

[Name Server]                   ns1.example.jp
[Name Server]                   ns2.example.jp
[Created on]                    2001/08/22
[Expires on]                    2026/08/31
[Status]                        Active
[Last Updated]                  2025/09/01 01:05:06 (JST)
`,
    created: '2001-08-22T00:00:00.000Z',
    updated: '2025-08-31T16:05:06.000Z',
    expires: '2026-08-31T00:00:00.000Z',
    statuses: ['Active'],
    nameservers: ['ns1.example.jp', 'ns2.example.jp'],
  },
  {
    registry: '.co.jp',
    domain: 'example.co.jp',
    text: `Domain Information:
a. [Domain Name]                EXAMPLE.CO.JP
g. [Organization]               Example Corporation
p. [Name Server]                ns1.example.co.jp
[State]                         Connected (2026/06/30)
[Registered Date]               1996/06/05
[Last Update]                   2025/07/01 01:02:03 (JST)`,
    created: '1996-06-05T00:00:00.000Z',
    updated: '2025-06-30T16:02:03.000Z',
    statuses: ['Connected (2026/06/30)'],
    nameservers: ['ns1.example.co.jp'],
  },
  {
    registry: '.kr',
    domain: 'example.kr',
    text: `# ENGLISH

Domain Name                 : example.kr
Registrant                  : Example
Registered Date             : 2007. 03. 02.
Last Updated Date           : 2020. 01. 15.
Expiration Date             : 2027. 03. 02.
Authorized Agency           : Example Agency(http://agency.example)

Primary Name Server
   Host Name                : ns1.example.kr

Secondary Name Server
   Host Name                : ns2.example.kr`,
    registrar: 'Example Agency(http://agency.example)',
    created: '2007-03-02T00:00:00.000Z',
    updated: '2020-01-15T00:00:00.000Z',
    expires: '2027-03-02T00:00:00.000Z',
    nameservers: ['ns1.example.kr', 'ns2.example.kr'],
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
    registry: '.br',
    domain: 'example.com.br',
    text: `% Copyright (c) Nic.br

domain:      example.com.br
owner:       Example Ltda
country:     BR
nserver:     ns1.example.com.br
nsstat:      20251230 AA
created:     19990514 #123456
changed:     20250701
expires:     20270514
status:      published

nic-hdl-br:  EXA1
person:      Example
created:     20080101
changed:     20200101`,
    created: '1999-05-14T00:00:00.000Z',
    updated: '2025-07-01T00:00:00.000Z',
    expires: '2027-05-14T00:00:00.000Z',
    statuses: ['published'],
    nameservers: ['ns1.example.com.br'],
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
    statuses: ['REGISTERED, DELEGATED, VERIFIED'],
    nameservers: ['ns1.example.ru', 'ns2.example.net'],
  },
  {
    registry: '.cn, an internationalised name',
    domain: 'xn--fiq228c.cn',
    text: `Domain Name: 中文.cn
ROID: 20030312s10001s00000000-cn
Domain Status: ok
Sponsoring Registrar: 示例公司
Name Server: ns1.example.cn
Registration Time: 2003-03-17 12:20:05
Expiration Time: 2027-03-17 12:48:36
DNSSEC: unsigned`,
    registrar: '示例公司',
    created: '2003-03-17T12:20:05.000Z',
    expires: '2027-03-17T12:48:36.000Z',
    statuses: ['ok'],
    nameservers: ['ns1.example.cn'],
  },
  {
    registry: '.tr',
    domain: 'example.com.tr',
    text: `** Domain Name: example.com.tr
Domain Status: Active
Frozen Status: -

** Registrant:
   Example A.S.

** Registrar:
NIC Handle\t\t: exa1-metu
Organization Name\t: Example Registrar

** Domain Servers:
ns1.example.com.tr
ns2.example.com.tr 192.0.2.1

** Additional Info:
Created on..............: 2001-Sep-12.
Expires on..............: 2026-Sep-11.

** Whois Server:
Last Update Time: 2026-01-01T00:00:00+03:00`,
    registrar: 'Example Registrar',
    created: '2001-09-12T00:00:00.000Z',
    expires: '2026-09-11T00:00:00.000Z',
    statuses: ['Active'],
    nameservers: ['ns1.example.com.tr', 'ns2.example.com.tr'],
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
    registry: '.tw',
    domain: 'example.tw',
    text: 'Domain Name: example.tw\n   Domain Status: ok\n   Record expires on 2027-05-06 (YYYY-MM-DD)\n   Record created on 2003-05-06 (YYYY-MM-DD)\n\n   Domain servers in listed order:\n      ns1.example.tw\n\nRegistration Service Provider: EXAMPLE\n',
    registrar: 'EXAMPLE',
    created: '2003-05-06T00:00:00.000Z',
    expires: '2027-05-06T00:00:00.000Z',
    statuses: ['ok'],
    nameservers: ['ns1.example.tw'],
  },
];

/** How registries say that they have no such domain. */
export const NOT_FOUND_ANSWERS: readonly string[] = [
  'No match for domain "EXAMPLE.COM".\r\n>>> Last update of whois database: 2026-01-01T00:00:00Z <<<\r\n',
  'Domain not found.\r\n',
  'NOT FOUND\n',
  'Domain: example.com\nStatus: free\n',
  'Domain:\texample.com\nStatus:\tAVAILABLE\n',
  '%% NOT FOUND\n',
  '% No match for example.com\n',
  '%ERROR:101: no entries found\n',
  'example.com is free\n',
  'No information available about domain name example.com in the Registry.\n',
  '\n    No match for "example.com".\n\n    This domain name has not been registered.\n',
  'No Data Found\n',
  'The queried object does not exist: DOMAIN NOT FOUND\n',
  'No matching record.\n',
  '[ JPRS ]\nNo match!!\n',
];

/** How registries say that they will not answer. */
export const REFUSALS: readonly string[] = [
  'WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS\r\n',
  '% Error: 55000000002 Connection refused; access control limit reached.\n',
  'Number of allowed queries exceeded.\n',
  'Your access is too fast,please try again later.\n',
  'Queried interval is too short.\n',
  '% Query rate limit exceeded. Reduced information.\n',
  'Quota exceeded. No data returned.\n',
  'Access denied: your address is blocked\n',
];
