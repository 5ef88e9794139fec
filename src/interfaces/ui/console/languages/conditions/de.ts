import type { ConditionTexts } from './condition-texts.ts';

/** German sentences of the conditions. */
export const conditionsGerman: ConditionTexts = {
  'condition.backup_failed':
    'Die letzte geplante Sicherung ist fehlgeschlagen: {cause}. Ursache beheben und jetzt eine Sicherung anlegen.',
  'condition.backup_old':
    'Die jüngste geplante Sicherung ist {days} Tage alt. Jetzt eine anlegen und klären, warum seither keine entstand.',
  'condition.key_expires': 'Schlüssel laufen ab: {keys}. Neue anlegen und an ihre Nutzer geben.',
  'condition.feed_not_pulled':
    'Mit diesen Schlüsseln wurde seit einem Tag kein Feed abgeholt: {keys}. Prüfen, ob ihre Geräte den Dienst noch erreichen.',
  'condition.certificate_expires':
    'Das Zertifikat des Dienstes läuft ab: {date}. tls_certificate erneuern und den Dienst neu laden.',
  'condition.list_stale':
    'Importierte Listen haben sich seit 30 Tagen oder länger nicht geändert: {lists}. Prüfen, ob ihr Import noch läuft.',
  'condition.model_old':
    'Das Modell ist {days} Tage alt. lurecheck aktualisieren oder ein Paket mit einem neueren installieren.',
  'condition.gate_watching':
    'Das Gate beobachtet seit {days} Tagen und hält nichts zurück. Den Bericht lesen und gate_mode auf hold setzen.',
  'condition.list_source_failed':
    'Die Quelle der Liste {list} ist nicht nutzbar: {cause}. Die Einstellung list_sources oder die Quelle berichtigen, dann erneut versuchen.',
  'condition.log_unavailable':
    'Prüfungen werden abgelehnt, weil ein Protokoll nicht geschrieben werden kann. Platz schaffen oder die Ursache beheben, die das Protokoll des Dienstes nennt.',
  'condition.log_damaged':
    'Ein Protokoll hat Prüfungen verloren oder war beschädigt. lurecheck doctor nennt das Protokoll und was zu tun ist.',
  'condition.checks_spooled':
    'Prüfungen werden auf diesem Knoten zwischengespeichert: {cause}. Die Datenbank wiederherstellen; sie werden von selbst gesendet.',
  'condition.checks_waiting':
    'Öffentliche Prüfungen dieses Knotens, die noch nicht in der Datenbank sind: {count}. Sie werden von selbst gesendet, sobald sie sie annimmt.',
  'condition.checks_refused':
    'Beantwortete Prüfungen dieses Knotens, die die Datenbank abgelehnt hat: {count}. Siehe lurecheck nodes spool list.',
  'condition.private_checks_waiting':
    'Private Prüfungen dieses Knotens sind noch nicht in der Datenbank. Sie werden von selbst gesendet, sobald sie sie annimmt.',
  'condition.private_checks_refused':
    'Die Datenbank hat beantwortete private Prüfungen dieses Knotens abgelehnt. Siehe lurecheck nodes spool list.',
  'condition.database_outdated':
    'Ein früherer Primärserver antwortet neben dem Datenbankserver, der ihn ersetzt hat. Ihn abschotten oder zum Standby machen.',
  'condition.node_name_taken':
    'Ein anderer Knoten hat den Namen dieses Knotens. Jedem Knoten einen eigenen node_name geben.',
  'condition.fleet_not_followed':
    'Dieser Knoten konnte über eine Minute nicht lesen, was die Knoten gemeinsam haben, und arbeitet mit seiner Kopie weiter. Siehe fleet.not_read in seinem Protokoll.',
  'condition.pack_unusable': 'Das Paket {pack} ist nicht nutzbar: {cause}. Es erneut installieren.',
  'condition.pack_expired':
    'Das Paket {pack} ist am {date} abgelaufen: Sein Inhalt bleibt im Einsatz, aber seine Listen entscheiden nicht mehr allein. Ein neueres installieren.',
  'condition.pack_key_revoked':
    'Das Paket {pack} ist im Einsatz, und der Schlüssel von {publisher}, der es signiert hat, wurde widerrufen. Eines installieren, das ein anderer Schlüssel signiert hat.',
  'condition.clock_behind':
    'Die Uhr zeigt {clock}, und dieser Rechner hat {seen} beobachtet. Die Uhr richtig stellen; bis dahin entscheidet die spätere Zeit, wann Pakete ablaufen.',
  'condition.clock_differs':
    'Die Uhr dieses Rechners weicht um {seconds} s von der einer Gegenstelle ab ({peer}). Beide mit NTP synchronisieren.',
  'condition.keys_unusable':
    'Die Datei der Schlüssel ist nicht lesbar: Die bisherigen Schlüssel gelten weiter, nach einem Start keiner. Sie berichtigen oder wiederherstellen.',
  'condition.lists_unusable':
    'Die Listen sind nicht lesbar: Die bisherigen bleiben im Einsatz, nach einem Start keine. Sie erneut importieren oder eine Sicherung wiederherstellen.',
  'condition.brands_unusable':
    'Die konfigurierten Marken sind nicht lesbar: Die bisherigen bleiben im Einsatz, nach einem Start keine. Ihre Datei berichtigen oder wiederherstellen.',
  'condition.model_unusable':
    'Das gewählte Modell ist nicht nutzbar: Das bisherige bleibt im Einsatz, nach einem Start das eingebaute. Ein anderes wählen oder installieren.',
  'condition.packs_unusable':
    'Die Pakete im Einsatz lassen sich nicht feststellen. Sie erneut installieren oder eine Sicherung wiederherstellen.',
  'condition.named_list_unusable':
    'Die Liste {list} ist nicht lesbar und nicht im Einsatz. Ihre Datei für den Dienst lesbar machen oder berichtigen, dann den Dienst neu laden.',
  'condition.feeds_stale':
    'Die Feeds lassen sich nicht erstellen: Sie behalten ihre letzte Fassung. Siehe feeds.kept im Protokoll des Dienstes.',
  'condition.feeds_missing':
    'Die Feeds lassen sich nicht erstellen: Sie antworten mit 503. Siehe feeds.kept im Protokoll des Dienstes.',
  'condition.notifications_failed':
    'Benachrichtigungen über {channel} werden nicht zugestellt. Die Einstellungen prüfen und ob der Server erreichbar ist.',
  'condition.gate_unexamined':
    '{percent} % der Anfragen von Web-Proxys gingen in zehn Minuten ungeprüft durch. lurecheck_gate_unexamined_total nennt die Ursachen.',
  'condition.milter_unexamined':
    '{percent} % der Mails gingen in zehn Minuten ungeprüft durch. lurecheck_milter_unexamined_total nennt die Ursachen.',
  'condition.proxy_without_addresses':
    'Ein Proxy sendet keine Adressen der Clients. In Squid adaptation_send_client_ip on setzen.',
  'condition.proxy_without_previews': 'Ein Proxy sendet ganze Inhalte. In Squid icap_preview_enable on setzen.',
  'condition.proxy_asks_twice':
    'Ein Proxy entschlüsselt https und fragt auch nach Tunneln, die ohne Seite gehalten werden. CONNECT ausnehmen.',
  'condition.rotation_failed':
    'Der geänderte Wert von {setting} funktioniert nicht: Der bisherige bleibt in Gebrauch, und er wird erneut versucht. Siehe settings.rotation_failed im Protokoll.',
  'condition.settings_refused':
    'Die Einstellungen wurden geändert und sind ungültig: Die bisherigen bleiben im Einsatz. lurecheck config check ausführen.',
  'condition.limiter_unavailable':
    'Der gemeinsame Begrenzer ist nicht erreichbar: Dieser Knoten zählt seine Clients allein. Den Redis-Server prüfen.',
  'condition.limiter_outdated':
    'Ein früherer Primärserver des Begrenzers nimmt neben dem Server, der ihn ersetzt hat, Schreibvorgänge an. Ihn zur Replik machen.',
  'condition.browser_unavailable':
    'Der Browser läuft nicht: Seiten werden ohne ihn geprüft. lurecheck doctor ausführen.',
  'condition.browser_unguarded':
    'Dem Browser fehlen Schalter, die seinen Verkehr in den Regeln des Dienstes halten. lurecheck doctor ausführen.',
};
