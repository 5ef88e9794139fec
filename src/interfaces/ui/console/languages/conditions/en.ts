/** English sentences of the conditions: the fact and the remedy of each. */
export const conditionsEnglish = {
  'condition.backup_failed': 'The last scheduled backup failed: {cause}. Correct the cause, then create a backup now.',
  'condition.backup_old':
    'The latest scheduled backup is {days} days old. Create one now, and see why none was made since.',
  'condition.key_expires': 'Keys expire: {keys}. Create others, and give them to their users.',
  'condition.feed_not_pulled':
    'No feed was pulled with these keys for a day: {keys}. See whether their appliances still reach the service.',
  'condition.certificate_expires':
    'The certificate of the service expires: {date}. Renew tls_certificate, and reload the service.',
  'condition.list_stale':
    'Imported lists did not change for 30 days or more: {lists}. See whether what imports them still runs.',
  'condition.model_old': 'The model is {days} days old. Upgrade lurecheck, or install a pack with a newer one.',
  'condition.gate_watching':
    'The gate has watched for {days} days and holds nothing. Read its report, and set gate_mode to hold.',
  'condition.list_source_failed':
    'The source of the list {list} cannot be used: {cause}. Correct the setting list_sources or the source, then try again.',
  'condition.log_unavailable':
    'Checks are refused, since a log cannot be written. Free space, or correct the cause that the log of the service names.',
  'condition.log_damaged':
    'A log lost checks or was damaged. Run lurecheck doctor, which names the log and what to do.',
  'condition.checks_spooled':
    'Checks are spooled on this node: {cause}. Restore the database; they are sent by themselves.',
  'condition.checks_waiting':
    'Public checks of this node that are not in the database yet: {count}. They are sent by themselves once it takes them.',
  'condition.checks_refused':
    'Answered checks of this node that the database refused: {count}. See lurecheck nodes spool list.',
  'condition.private_checks_waiting':
    'Private checks of this node are not in the database yet. They are sent by themselves once it takes them.',
  'condition.private_checks_refused':
    'The database refused answered private checks of this node. See lurecheck nodes spool list.',
  'condition.database_outdated':
    'A former primary answers beside the database server that took its place. Fence it off, or make it a standby.',
  'condition.node_name_taken': 'Another node has the name of this one. Give each node a node_name of its own.',
  'condition.fleet_not_followed':
    'For over a minute this node could not read the data that the nodes share, and goes on with its copy. See fleet.not_read in its log.',
  'condition.pack_unusable': 'The pack {pack} cannot be used: {cause}. Install it again.',
  'condition.pack_expired':
    'The pack {pack} expired on {date}: its content stays active, but its lists no longer decide alone. Install a newer one.',
  'condition.pack_key_revoked':
    'The pack {pack} is active, and the key of {publisher} that signed it was revoked. Install one that another key signed.',
  'condition.clock_behind':
    'The clock shows {clock}, and this host has observed {seen}. Correct the clock; until then the later time decides when packs expire.',
  'condition.clock_differs':
    'The clock of this host differs by {seconds} s from that of a peer ({peer}). Synchronize both with NTP.',
  'condition.keys_unusable':
    'The file of keys cannot be read: the former keys stay active, or none after a start. Correct or restore it.',
  'condition.lists_unusable':
    'The lists cannot be read: the former ones stay active, or none after a start. Import them again, or restore a backup.',
  'condition.brands_unusable':
    'The configured brands cannot be read: the former ones stay active, or none after a start. Correct or restore their file.',
  'condition.model_unusable':
    'The selected model cannot be used: the one before stays active, or the built-in one after a start. Select or install another.',
  'condition.packs_unusable': 'The active packs cannot be determined. Install them again, or restore a backup.',
  'condition.named_list_unusable':
    'The list {list} cannot be read and is not active. Make its file readable for the service or correct it, then reload the service.',
  'condition.feeds_stale':
    'The feeds cannot be made: they keep their last version. See feeds.kept in the log of the service.',
  'condition.feeds_missing': 'The feeds cannot be made: they answer 503. See feeds.kept in the log of the service.',
  'condition.notifications_failed':
    'Notifications by {channel} are not delivered. Check its settings, and that its server can be reached.',
  'condition.gate_unexamined':
    '{percent} % of the requests of web proxies passed unexamined within ten minutes. lurecheck_gate_unexamined_total has the causes.',
  'condition.milter_unexamined':
    '{percent} % of the mails passed unexamined within ten minutes. lurecheck_milter_unexamined_total has the causes.',
  'condition.proxy_without_addresses': 'A proxy sends no client addresses. Set adaptation_send_client_ip on in Squid.',
  'condition.proxy_without_previews': 'A proxy sends whole bodies. Set icap_preview_enable on in Squid.',
  'condition.proxy_asks_twice':
    'A proxy decrypts https and asks about tunnels as well, which are held without a page. Exempt CONNECT.',
  'condition.rotation_failed':
    'The changed value of {setting} does not work: the former one stays in use, and it is tried again. See settings.rotation_failed in the log.',
  'condition.settings_refused':
    'The settings were changed and are invalid: the former ones stay active. Run lurecheck config check.',
  'condition.limiter_unavailable':
    'The shared limiter is unavailable: this node counts its clients alone. Check the Redis server.',
  'condition.limiter_outdated':
    'A former primary of the limiter accepts writes beside the server that replaced it. Make it a replica.',
  'condition.browser_unavailable': 'The browser does not run: pages are checked without it. Run lurecheck doctor.',
  'condition.browser_unguarded':
    'The browser runs without flags that keep its traffic in the egress policy. Run lurecheck doctor.',
} as const;
