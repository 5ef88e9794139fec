import type { Place } from '#src/engine/analyzers/page/brand-place.ts';
import type { BlockedTool } from '#src/engine/analyzers/page/evasion-signs.ts';
import type { HomeSaid } from '#src/engine/analyzers/page/home-signal.ts';
import type { SecretName } from '#src/engine/analyzers/page/signal.ts';
import type { LeastAge } from '#src/engine/analyzers/registration.ts';
import type { PlatformName } from '#src/engine/lexical/reason.ts';

/** A sentence that a code is said in, `{name}` for what varies; where the code has several, what tells them apart. */
export type Sentence = readonly [code: string, sentence: string, kind?: string];

/**
 * The sentences of reasons; those without a code stand elsewhere. A place in this list is what is kept in place of a
 * sentence: new ones go to its end, and none is changed or taken out. What is in no sentence of the list is kept as it is.
 */
const LISTED = [
  ['url.other_patterns', 'Everything else that the model saw in the spelling.'],
  ['url.name', '“{name}” reads like the name of an ordinary site.', 'ordinary'],
  ['url.name', '“{name}” is put together like the names of phishing sites.', 'phishing_like'],
  ['url.name', '“{name}” is a random-looking name.', 'random'],
  ['url.name', '“{name}” is a name of many parts joined by hyphens.', 'many_parts'],
  ['url.name', '“{name}” is a name with many digits.', 'many_digits'],
  ['url.name', '“{name}” is an unusually long name.', 'long'],
  ['url.name', 'An IP address stands in place of a name.', 'address'],
  ['url.words', 'Its words, taken together, are like those of phishing sites.', 'phishing_like'],
  ['url.words', 'Its words, taken together, are like those of ordinary sites.', 'ordinary'],
  ['url.suffix', 'Of the names known under .{suffix}, many are phishing.', 'many'],
  ['url.suffix', 'Of the names known under .{suffix}, few are phishing.', 'few'],
  ['url.path', 'The path “/{path}” is like those of phishing sites.', 'phishing_like'],
  ['url.path', 'The path “/{path}” is like those of ordinary sites.', 'ordinary'],
  ['url.path', 'The path ends in random-looking characters.', 'random'],
  ['url.subdomain', 'The subdomain “{subdomain}” is like those of phishing sites.', 'phishing_like'],
  ['url.subdomain', 'The subdomain “{subdomain}” is like those of ordinary sites.', 'ordinary'],
  ['url.subdomain', '“{subdomain}” in front of the name looks like a domain itself.', 'domain_like'],
  ['url.subdomain', '“{subdomain}” is a random-looking subdomain.', 'random'],
  ['url.subdomain', '{count} subdomains stand in front of the name.', 'many_parts'],
  ['url.brand', '“{found}” brings {brand} to mind, whose own domain is {domain}.'],
  ['url.popular_site', 'The site is among those that many people visit.', 'visited'],
  ['url.popular_site', 'The site is a known brand’s own.', 'own'],
  ['url.login_words', 'Words such as login or verify stand in the host.', 'host'],
  ['url.login_words', 'Words such as login or verify stand in the path.', 'path'],
  ['url.login_words', 'Words such as login or verify stand in the host and the path.', 'both'],
  ['url.query', 'The query is like those of phishing sites.', 'phishing_like'],
  ['url.query', 'The query is like those of ordinary sites.', 'ordinary'],
  ['url.platform', 'It is published on {platform} ({suffix}).', 'listed'],
  ['url.platform', 'Anybody can publish under {suffix}.', 'open'],
  ['url.address', 'The host is the IP address {address}.', 'address'],
  ['url.address', 'A user name stands in front of the host.', 'user_name'],
  ['url.address', 'The port is an unusual one.', 'port'],
  ['url.address', 'The host is written in another script.', 'script'],
  ['brand.domain_in_host', "The host contains “{found}” and belongs to {site}, but {domain} is {brand}'s domain."],
  ['brand.name_in_subdomain', "The host contains “{found}”, but {domain} is {brand}'s domain."],
  [
    'brand.common_word_with_cause',
    "The host contains “{found}” and “{lure}” beside it, but {domain} is {brand}'s domain.",
    'lure',
  ],
  [
    'brand.common_word_with_cause',
    "The host contains “{found}” and the suffix .{suffix} is often used for phishing, but {domain} is {brand}'s domain.",
    'suffix',
  ],
  [
    'brand.common_word_with_cause',
    "The host contains “{found}” and anyone can publish under {platform}, but {domain} is {brand}'s domain.",
    'platform',
  ],
  [
    'brand.common_word_with_cause',
    "The host contains “{found}” and the host carries a serial number, but {domain} is {brand}'s domain.",
    'serial_number',
  ],
  ['brand.own_domain', "{site} is {brand}'s own domain."],
  [
    'brand.name_on_platform',
    "“{found}” stands under {platform}, where anyone can publish, but {domain} is {brand}'s domain.",
  ],
  ['brand.name_with_addition', "The host adds to “{found}”, but {domain} is {brand}'s domain."],
  ['brand.misspelling', "“{found}” is nearly “{name}”, but {domain} is {brand}'s domain."],
  ['brand.name_in_path', "The path names “{found}” and “{lure}” beside it, but {domain} is {brand}'s domain.", 'lure'],
  [
    'brand.name_in_path',
    "The path names “{found}” and the suffix .{suffix} is often used for phishing, but {domain} is {brand}'s domain.",
    'suffix',
  ],
  [
    'brand.name_in_path',
    "The path names “{found}” and anyone can publish under {platform}, but {domain} is {brand}'s domain.",
    'platform',
  ],
  ['brand.look_alike', "“{found}” looks like “{name}”, but {domain} is {brand}'s domain.", 'ascii'],
  [
    'brand.look_alike',
    "The host writes “{found}” in letters of other scripts, but {domain} is {brand}'s domain.",
    'scripts',
  ],
  ['brand.name_inside_word', "The host contains “{found}”, but {domain} is {brand}'s domain."],
  ['brand.other_suffix', "“{found}” stands under .{suffix}, but {domain} is {brand}'s domain."],
  ['brand.name_before_at', "“{found}” stands before an @, but {domain} is {brand}'s domain."],
  ['', 'The decision would be “{decision}” without this: {reason}'],
  [
    'dns.public_and_private_addresses',
    '{host} has a public address and one inside a private network, as in an attack by rebinding.',
  ],
  ['dns.scattered_addresses', '{host} has addresses in {networks} networks that change every {seconds} seconds.'],
  ['dns.parked_name_servers', '{host} is parked: its name server is {server}.'],
  ['dns.single_name_server', '{host} has a single name server, {server}.'],
  ['dns.alias_to_open_platform', '{host} is an alias of {platform}, where anybody can publish.'],
  ['dns.no_mail', '{host} is not set up for mail, as domains made for one purpose often are.'],
  ['dns.mail_policy_enforced', '{host} receives mail and protects its name in mail (SPF and DMARC, {policy}).'],
  ['registration.created_over_5_years_ago', '{domain} was registered {years} years ago, on {day}.'],
  ['registration.created_under_7_days_ago', '{domain} was registered {age} ago, on {day}.'],
  ['registration.created_under_30_days_ago', '{domain} was registered {age} ago, on {day}.'],
  ['registration.created_under_180_days_ago', '{domain} was registered {age} ago, on {day}.'],
  ['registration.on_hold', '{domain} has been put on hold.'],
  ['registration.being_deleted', '{domain} is about to be deleted.'],
  ['certificate.issued_under_1_day_ago', 'The certificate of {host} was issued on {day}, less than a day ago.'],
  ['certificate.issued_under_7_days_ago', 'The certificate of {host} was issued on {day}, {age} ago.'],
  ['certificate.names_an_organisation', 'The certificate of {host} names its owner, {owner}.'],
  ['certificate.odd_names', 'The certificate of {host} has a name that no host can have: {name}.'],
  ['certificate.many_sites', 'The certificate of {host} is shared by {sites} unrelated sites or more.'],
  [
    'certificate.untrusted_issuer',
    'The certificate of {host} was issued by somebody whom browsers do not trust ({issuer}).',
  ],
  ['certificate.self_signed', 'The certificate of {host} was signed by nobody but itself.'],
  ['certificate.bad_signature', 'The certificate of {host} bears a forged or broken signature.'],
  ['certificate.incomplete_chain', 'The server of {host} does not show who issued its certificate.'],
  ['certificate.expired', 'The certificate of {host} is past its date.'],
  ['certificate.not_yet_valid', 'The certificate of {host} is not valid yet.'],
  ['certificate.no_subject_alternative_name', 'The certificate of {host} names no host at all.'],
  ['certificate.name_mismatch', 'The certificate shown for {host} belongs to another name.'],
  ['certificate.name_not_permitted', 'The certificate of {host} is for a name that its issuer may not vouch for.'],
  ['certificate.wrong_purpose', 'The certificate of {host} is not meant for a web site.'],
  ['certificate.weak_key', 'The certificate of {host} has a key that can be broken ({key}).'],
  ['certificate.weak_signature', 'The certificate of {host} is signed by a method that can be forged ({method}).'],
  ['certificate.validity_too_long', 'The certificate of {host} is valid for longer than browsers allow.'],
  ['redirects.through_shortener', 'The link goes through {shortener}, which hides where it leads.'],
  ['redirects.lands_on_address', 'The link ends on a bare address, {address}.'],
  ['redirects.lands_on_other_site', 'The link names {named} and ends on {site}.'],
  ['redirects.lands_on_open_platform', 'The link ends on {host}, where anybody can publish.'],
  ['redirects.through_many_sites', 'The link goes through {sites} different sites.'],
  ['redirects.long_chain', 'The link is redirected {redirects} times.'],
  ['redirects.falls_back_to_http', 'The link leaves the encrypted web on its way, at {host}.'],
  ['lists.blocked', 'The URL is on the block list {list}: line {line}, {entry}.'],
  ['lists.allowed', 'The URL is on the allow list {list}: line {line}, {entry}.'],
  ['page.names_nobody', 'The page asks for a login, but neither names {site} nor links to anything else there.'],
  ['page.bare_login', 'The page asks for {secrets} and shows hardly anything else.'],
  [
    'page.asks_as_foreign_brand',
    'The page asks for {secrets} and presents itself as {brand} (by {sign}), but {site} is not a site of {owner}.',
  ],
  ['page.foreign_brand', 'The page presents itself as {brand} (by {sign}), but {site} is not a site of {owner}.'],
  ['page.own_brand', 'The page presents itself as {brand}, and {site} is a site of {owner}.'],
  ['page.dead_links', 'The page asks for a login, but {dead} of its {links} links lead nowhere.'],
  ['page.fields_over_picture', 'The fields that ask for {secrets} are laid over a picture.'],
  ['page.many_password_forms', 'The page has {forms} forms that ask for a password.'],
  ['page.links_to_one_other_site', 'The page asks for a login, but nearly all its links and pictures lead to {site}.'],
  ['page.posts_to_other_site', 'The form that asks for {secrets} sends it to another site, {site}.'],
  ['page.nameless_title', 'The page asks for a login under the title “{title}”, which names nobody.'],
  ['page.urgency', 'The page presses visitors to log in: “{phrase}”.'],
  ['page.frames_other_site', 'The page shows nothing but a page of another site, {site}.'],
  ['page.preset_email', 'Somebody’s e-mail address is filled in, and the password is asked for.', 'filled_in'],
  [
    'page.preset_email',
    'The page takes an e-mail address out of its own web address and asks for the password.',
    'from_address',
  ],
  ['page.hidden_text', 'The page hides more text than it shows.'],
  ['page.saved_copy', 'The page is a saved copy of a page of {site}.'],
  [
    'page.saved_folder',
    'The page’s pictures and styles lie in a folder that a browser makes when somebody saves a page.',
  ],
  ['page.belongs_elsewhere', 'The page asks for a login and names {site} as its real address.'],
  ['page.asks_many_secrets', 'One form asks for {secrets}.'],
  ['page.obfuscated_script', 'The page’s scripts are made unreadable on purpose.'],
  ['page.looks_for_bots', 'The page asks for a login and checks whether a program is looking at it.'],
  ['page.blocks_inspection', 'The page blocks {keys}.'],
  ['page.kit_mark', 'The page carries the mark “{mark}”, which phishing tools leave.'],
  ['page.not_seen_whole', 'The page is longer than what is read of a page, or ended early: part of it was not judged.'],
  [
    'page.posts_to_kit_script',
    'The form that asks for {secrets} is handled by a lone script, {script}, beside the page.',
    'beside',
  ],
  [
    'page.posts_to_kit_script',
    'The form that asks for {secrets} is handled by a lone script, {script}, named as in phishing kits.',
    'named',
  ],
  ['page.posts_unencrypted', 'The form that asks for {secrets} sends it unencrypted.'],
  ['page.posts_to_form_service', 'The form that asks for {secrets} is sent by e-mail.', 'mail'],
  [
    'page.posts_to_form_service',
    'What is typed in goes to {service}, a service that collects forms for anybody.',
    'service',
  ],
  [
    'page.posts_to_bot',
    'The page’s script sends messages to a chat bot ({service}), as phishing kits do with what they catch.',
  ],
  ['page.mail_provider_choice', 'The page lets visitors choose among mail providers ({providers}) to log in with.'],
  ['page.asks_seed_phrase', 'The page asks for the recovery phrase or private key of a wallet.'],
  ['page.spelled_title', 'The page’s title “{title}” is written in character codes, which hides it from scanners.'],
  ['page.spelled_text', 'Much of the page’s text is written in character codes, which hides it from scanners.'],
  ['page.encoded_markup', 'The page writes parts of itself from encoded text, which hides them from scanners.'],
  ['page.padded', 'The page goes on behind all that is read of a page, and has asked for nothing by then.'],
  ['page.look_alike_words', 'The page writes “{meant}” with look-alike characters: “{words}”.'],
  ['page.own_brand_clone', 'The page looks like a page of {brand}, but {host} is not one of its hosts.', 'page'],
  [
    'page.own_brand_clone',
    'The page asks for a login in the name of {brand}, but {host} is not one of its hosts.',
    'name',
  ],
  ['brand.taught_domain', "This box was taught that {site} is {brand}'s own domain."],
  ['brand.taught_imitated', 'This box was taught to watch over {brand}.', 'name'],
  ['brand.taught_imitated', 'This box was taught to watch over the brand whose page this looks like.', 'page'],
  ['url.address_as_host', 'The host is the bare address {address}, which has no name to go by.'],
  ['url.homograph_of_brand', 'The host is to be read as {brand}, in letters that only look like it.'],
  ['url.brand_left_of_domain', 'The host begins like {brand} and ends in {site}, to which it belongs.'],
  ['url.credentials_before_host', 'What stands before the @ is no host: the link leads to {host}.'],
  ['page.at_home', 'What the page shows belongs to {site}: {signs}.'],
  ['redirects.end_unseen', '{shortener} shortens links, and where this one leads was not seen.'],
  ['lists.path_elsewhere', 'The same unusual path was seen on {sites} other doubtful sites since {day}.'],
  ['lists.form_elsewhere', 'The same unusual form was seen on {sites} other doubtful sites since {day}.'],
  ['lists.kept_blocked', 'The URL has been on the block list {list} since {day}: {entry} (line {line}).'],
  ['lists.kept_allowed', 'The URL has been on the allow list {list} since {day}: {entry} (line {line}).'],
  ['lists.suspected', 'The list {list} has spoken against the URL since {day}: {entry} (line {line}).'],
  ['lists.trusted', 'The list {list} has spoken for the URL since {day}: {entry} (line {line}).'],
  [
    'lists.overruled_block',
    'Another list overrules the block list {list}, on which the URL has been since {day}: {entry} (line {line}).',
  ],
  [
    'lists.overruled_allow',
    'Another list overrules the allow list {list}, on which the URL has been since {day}: {entry} (line {line}).',
  ],
  [
    'page.too_little_read',
    'Hardly anything of the page could be read before it was cut off: what it asks for is unknown.',
  ],
  ['url.impossible_host', 'The host {host} cannot exist on the public Internet.'],
  ['url.popular_site', 'The site is known to serve advertisements or statistics to other sites.', 'tracker'],
] as const satisfies readonly Sentence[];

/** See above. */
export const SENTENCES: readonly Sentence[] = LISTED;

type Listed = (typeof LISTED)[number];

type KeyOf<One> = One extends readonly [infer Code extends string, string, infer Kind extends string]
  ? `${Code}.${Kind}`
  : One extends readonly [infer Code extends string, string]
    ? Code
    : never;

/** Every code that a reason may have. */
export type ReasonCode = Exclude<Listed[0], ''>;

/** Every sentence that a reason may be said in: its code, with its kind where the code has several. */
export type ReasonKey = Exclude<KeyOf<Listed>, ''>;

/** English that stands in the `args` of a reason: the analyzers' own words, where all others are those of sites and names. */
export type ReasonWord = SecretName | Place | HomeSaid | BlockedTool | LeastAge | PlatformName;
