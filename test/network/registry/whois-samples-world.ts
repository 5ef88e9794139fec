import type { WhoisSample } from './whois-sample.ts';

/** The registries of the generic suffixes, and of the rest of the world. */
export const WHOIS_SAMPLES_OF_THE_WORLD: readonly WhoisSample[] = [
  {
    registry: '.il, which lists each change',
    domain: 'example.co.il',
    text: `% The data in the WHOIS database of the .il registry is provided for information purposes.

query:        example.co.il

reg-name:     example
domain:       example.co.il

descr:        Example Ltd
phone:        +972 3 0000000
admin-c:      II-EX1234-IL
nserver:      ns1.example.net
nserver:      ns2.example.net
validity:     14-06-2027
DNSSEC:       unsigned
status:       Transfer Locked
changed:      domain-registrar AT isoc.org.il 20100614 (Assigned)
changed:      domain-registrar AT isoc.org.il 20240502 (Changed)

person:       Domain Admin
address       Example Ltd
nic-hdl:      II-EX1234-IL
changed:      domain-registrar AT isoc.org.il 20250101
changed:      Managing Registrar 20250102

registrar name: Example Registrar Ltd
registrar info: https://registrar.example`,
    registrar: 'Example Registrar Ltd',
    created: '2010-06-14T00:00:00.000Z',
    updated: '2024-05-02T00:00:00.000Z',
    expires: '2027-06-14T00:00:00.000Z',
    statuses: ['Transfer Locked'],
    nameservers: ['ns1.example.net', 'ns2.example.net'],
  },
  {
    registry: '.th, which abbreviates',
    domain: 'example.co.th',
    text: `Domain Name:    EXAMPLE.CO.TH
Registrar:      Example Registrar
Name Server:    NS1.EXAMPLE.NET
Status:         ACTIVE
Updated date:   04 Mar 2025
Created date:   30 Mar 1999
Exp date:       01 Apr 2030`,
    registrar: 'Example Registrar',
    created: '1999-03-30T00:00:00.000Z',
    updated: '2025-03-04T00:00:00.000Z',
    expires: '2030-04-01T00:00:00.000Z',
    statuses: ['ACTIVE'],
    nameservers: ['ns1.example.net'],
  },
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
    registrar: 'Example Agency',
    created: '2007-03-02T00:00:00.000Z',
    updated: '2020-01-15T00:00:00.000Z',
    expires: '2027-03-02T00:00:00.000Z',
    nameservers: ['ns1.example.kr', 'ns2.example.kr'],
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
    registry: '.tw',
    domain: 'example.tw',
    text: 'Domain Name: example.tw\n   Domain Status: ok\n   Record expires on 2027-05-06 (YYYY-MM-DD)\n   Record created on 2003-05-06 (YYYY-MM-DD)\n\n   Domain servers in listed order:\n      ns1.example.tw\n\nRegistration Service Provider: EXAMPLE\n',
    registrar: 'EXAMPLE',
    created: '2003-05-06T00:00:00.000Z',
    expires: '2027-05-06T00:00:00.000Z',
    statuses: ['ok'],
    nameservers: ['ns1.example.tw'],
  },
  {
    registry: '.am',
    domain: 'example.am',
    text: '   Domain name: example.am\n   Registrar:   example (Example LLC)\n   Status:      active, registrar locked\n\n   Registrant:\n      Example LLC\n      US\n\n   DNS servers:\n      ns1.example.am\n      ns2.example.am\n\n   Registered:    2015-08-25\n   Last modified: 2025-08-06\n   Expires:       2026-08-25\n',
    registrar: 'example (Example LLC)',
    created: '2015-08-25T00:00:00.000Z',
    updated: '2025-08-06T00:00:00.000Z',
    expires: '2026-08-25T00:00:00.000Z',
    statuses: ['active', 'registrar locked'],
    nameservers: ['ns1.example.am', 'ns2.example.am'],
  },
  {
    registry: '.tk, whose dates read two ways and whose contacts live in a state',
    domain: 'example.tk',
    text: '   Domain name:\n      EXAMPLE.TK is Active\n\n   Owner contact:\n      Organization: Example, Inc.\n      State:        Nevada\n\n   Domain Nameservers:\n      NS1.EXAMPLE.NET\n\n   Domain registered: 09/10/2014\n',
    nameservers: ['ns1.example.net'],
  },
  {
    registry: '.hk',
    domain: 'example.hk',
    text: ' -------------------------------\n Whois server by HKIRC\n -------------------------------\n\nDomain Name:  EXAMPLE.HK \n\nDomain Status: Active \n\nRegistrar Name: Example Inc.\n\nRegistrant Contact Information:\n\nCompany English Name: Example\nCountry: United States (US)\nDomain Name Commencement Date: 06-04-2004\nExpiry Date: 31-03-2027 \nRe-registration Status:  Complete   \n\nWHOIS Terms of Use \n',
    registrar: 'Example Inc.',
    created: '2004-04-06T00:00:00.000Z',
    expires: '2027-03-31T00:00:00.000Z',
    statuses: ['Active'],
  },
  {
    registry: '.kr, in Korean and in English',
    domain: 'example.kr',
    text: 'query : example.kr\n\n# KOREAN(UTF8)\n\n도메인이름                  : example.kr\n등록일                      : 2007. 03. 02.\n\n1차 네임서버 정보\n   호스트이름               : ns1.example.kr\n\n# ENGLISH\n\nDomain Name                 : example.kr\nRegistered Date             : 2007. 03. 02.\nAuthorized Agency           : Whois Corp.(http://agency.example)\n\nPrimary Name Server\n   Host Name                : ns1.example.kr\n',
    registrar: 'Whois Corp.',
    created: '2007-03-02T00:00:00.000Z',
    nameservers: ['ns1.example.kr'],
  },
  {
    registry: '.kz',
    domain: 'example.kz',
    text: 'Whois Server for the KZ top level domain name.\n\nDomain Name............: example.kz\n\nOrganization Using Domain Name\nName...................: Example\nState..................: CA\n\nNameserver in listed order\n\nPrimary server.........: ns1.example.kz\n\nDomain created: 1999-06-07 13:01:43 (GMT+0:00)\nLast modified : 2012-11-28 03:16:59 (GMT+0:00)\nDomain status : ok - Normal state.\n\nCurrent Registar: KAZNIC\n',
    registrar: 'KAZNIC',
    created: '1999-06-07T00:00:00.000Z',
    updated: '2012-11-28T00:00:00.000Z',
    statuses: ['ok - Normal state.'],
  },
];
