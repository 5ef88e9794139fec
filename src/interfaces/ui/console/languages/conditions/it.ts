import type { ConditionTexts } from './condition-texts.ts';

/** Italian sentences of the conditions. */
export const conditionsItalian: ConditionTexts = {
  'condition.backup_failed':
    'L’ultimo backup pianificato non è riuscito: {cause}. Correggere la causa, poi creare un backup.',
  'condition.backup_old':
    'L’ultimo backup pianificato ha {days} giorni. Crearne uno ora e capire perché non ne sono seguiti altri.',
  'condition.key_expires': 'Chiavi in scadenza: {keys}. Crearne altre e darle ai loro utenti.',
  'condition.feed_not_pulled':
    'Con queste chiavi nessun feed è stato letto da un giorno: {keys}. Verificare se i dispositivi raggiungono ancora il servizio.',
  'condition.certificate_expires':
    'Il certificato del servizio scade: {date}. Rinnovare tls_certificate e ricaricare il servizio.',
  'condition.list_stale':
    'Elenchi importati senza modifiche da 30 giorni o più: {lists}. Verificare se la loro importazione funziona ancora.',
  'condition.model_old': 'Il modello ha {days} giorni. Aggiornare lurecheck o installare un pacchetto più recente.',
  'condition.gate_watching':
    'Il gate osserva da {days} giorni e non trattiene nulla. Leggere il rapporto e impostare gate_mode su hold.',
  'condition.list_source_failed':
    'La fonte dell’elenco {list} non è utilizzabile: {cause}. Correggere l’impostazione list_sources o la fonte, poi riprovare.',
  'condition.log_unavailable':
    'I controlli vengono rifiutati perché un registro non può essere scritto. Liberare spazio o correggere la causa indicata nel registro del servizio.',
  'condition.log_damaged':
    'Un registro ha perso controlli o era danneggiato. Eseguire lurecheck doctor, che indica quale e che cosa fare.',
  'condition.checks_spooled':
    'I controlli vengono conservati temporaneamente su questo nodo: {cause}. Ripristinare il database; vengono inviati da soli.',
  'condition.checks_waiting':
    'Controlli pubblici di questo nodo non ancora nel database: {count}. Vengono inviati da soli appena li accetta.',
  'condition.checks_refused':
    'Controlli con risposta di questo nodo che il database ha rifiutato: {count}. Vedere lurecheck nodes spool list.',
  'condition.private_checks_waiting':
    'Controlli privati di questo nodo non sono ancora nel database. Vengono inviati da soli appena li accetta.',
  'condition.private_checks_refused':
    'Il database ha rifiutato controlli privati con risposta di questo nodo. Vedere lurecheck nodes spool list.',
  'condition.database_outdated':
    'Un ex server primario risponde accanto al server di database che lo ha sostituito. Isolarlo o renderlo standby.',
  'condition.node_name_taken': 'Un altro nodo ha il nome di questo. Dare a ogni nodo un proprio node_name.',
  'condition.fleet_not_followed':
    'Per oltre un minuto questo nodo non ha potuto leggere i dati condivisi e prosegue con la sua copia. Vedere fleet.not_read nel suo registro.',
  'condition.pack_unusable': 'Il pacchetto {pack} non è utilizzabile: {cause}. Installarlo di nuovo.',
  'condition.pack_expired':
    'Il pacchetto {pack} è scaduto il {date}: il contenuto resta attivo, ma le sue liste non decidono più da sole. Installarne uno più recente.',
  'condition.pack_key_revoked':
    'Il pacchetto {pack} è attivo e la chiave di {publisher} che lo ha firmato è stata revocata. Installarne uno firmato con un’altra chiave.',
  'condition.clock_behind':
    'L’orologio segna {clock} e questo host ha osservato {seen}. Correggere l’orologio; fino ad allora l’ora più tarda decide la scadenza dei pacchetti.',
  'condition.clock_differs':
    'L’orologio di questo host differisce di {seconds} s da quello di un interlocutore ({peer}). Sincronizzarli entrambi con NTP.',
  'condition.keys_unusable':
    'Il file delle chiavi non è leggibile: restano attive quelle precedenti, o nessuna dopo un avvio. Correggerlo o ripristinarlo.',
  'condition.lists_unusable':
    'Le liste non sono leggibili: restano attive quelle precedenti, o nessuna dopo un avvio. Importarle di nuovo o ripristinare un backup.',
  'condition.brands_unusable':
    'I marchi configurati non sono leggibili: restano attivi quelli precedenti, o nessuno dopo un avvio. Correggere o ripristinare il loro file.',
  'condition.model_unusable':
    'Il modello scelto non è utilizzabile: resta attivo quello precedente, o quello integrato dopo un avvio. Sceglierne o installarne un altro.',
  'condition.packs_unusable':
    'Non è possibile determinare i pacchetti attivi. Installarli di nuovo o ripristinare un backup.',
  'condition.named_list_unusable':
    'La lista {list} non è leggibile e non è attiva. Rendere leggibile il suo file per il servizio o correggerlo, poi ricaricare il servizio.',
  'condition.feeds_stale':
    'I feed non possono essere generati: mantengono l’ultima versione. Vedere feeds.kept nel registro del servizio.',
  'condition.feeds_missing':
    'I feed non possono essere generati: rispondono 503. Vedere feeds.kept nel registro del servizio.',
  'condition.notifications_failed':
    'Le notifiche via {channel} non vengono recapitate. Controllare le impostazioni e che il server sia raggiungibile.',
  'condition.gate_unexamined':
    'Il {percent} % delle richieste dei proxy web è passato senza esame in dieci minuti. lurecheck_gate_unexamined_total ne indica le cause.',
  'condition.milter_unexamined':
    'Il {percent} % delle e-mail è passato senza esame in dieci minuti. lurecheck_milter_unexamined_total ne indica le cause.',
  'condition.proxy_without_addresses':
    'Un proxy non invia gli indirizzi dei client. Impostare adaptation_send_client_ip on in Squid.',
  'condition.proxy_without_previews': 'Un proxy invia corpi interi. Impostare icap_preview_enable on in Squid.',
  'condition.proxy_asks_twice':
    'Un proxy decifra https e chiede anche dei tunnel, che vengono trattenuti senza pagina. Escludere CONNECT.',
  'condition.rotation_failed':
    'Il valore modificato di {setting} non funziona: resta in uso quello precedente e si riprova. Vedere settings.rotation_failed nel registro.',
  'condition.settings_refused':
    'Le impostazioni sono state modificate e non sono valide: restano attive quelle precedenti. Eseguire lurecheck config check.',
  'condition.limiter_unavailable':
    'Il limitatore condiviso non è disponibile: questo nodo conta da solo i suoi client. Controllare il server Redis.',
  'condition.limiter_outdated':
    'Un ex primario del limitatore accetta scritture accanto al server che lo ha sostituito. Renderlo una replica.',
  'condition.browser_unavailable':
    'Il browser non è in funzione: le pagine vengono controllate senza di esso. Eseguire lurecheck doctor.',
  'condition.browser_unguarded':
    'Al browser mancano opzioni che mantengono il suo traffico entro le regole. Eseguire lurecheck doctor.',
};
