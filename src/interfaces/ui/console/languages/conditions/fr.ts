import type { ConditionTexts } from './condition-texts.ts';

/** French sentences of the conditions. */
export const conditionsFrench: ConditionTexts = {
  'condition.backup_failed':
    'La dernière sauvegarde planifiée a échoué : {cause}. Corrigez la cause, puis créez une sauvegarde.',
  'condition.backup_old':
    'La dernière sauvegarde planifiée date de {days} jours. Créez-en une et cherchez pourquoi aucune n’a suivi.',
  'condition.key_expires': 'Des clés expirent : {keys}. Créez-en d’autres et remettez-les à leurs utilisateurs.',
  'condition.feed_not_pulled':
    'Aucun flux n’a été lu depuis un jour avec ces clés : {keys}. Vérifiez que leurs équipements atteignent encore le service.',
  'condition.certificate_expires':
    'Le certificat du service expire : {date}. Renouvelez tls_certificate et rechargez le service.',
  'condition.list_stale':
    'Des listes importées n’ont pas changé depuis 30 jours ou plus : {lists}. Vérifiez que leur import fonctionne encore.',
  'condition.model_old': 'Le modèle date de {days} jours. Mettez lurecheck à jour, ou installez un paquet plus récent.',
  'condition.gate_watching':
    'La passerelle observe depuis {days} jours et ne retient rien. Lisez son rapport et réglez gate_mode sur hold.',
  'condition.list_source_failed':
    'La source de la liste {list} est inutilisable : {cause}. Corrigez le réglage list_sources ou la source, puis réessayez.',
  'condition.log_unavailable':
    'Des vérifications sont refusées, car un journal ne peut pas être écrit. Libérez de la place ou corrigez la cause indiquée dans le journal du service.',
  'condition.log_damaged':
    'Un journal a perdu des vérifications ou a été endommagé. Lancez lurecheck doctor, qui indique lequel et que faire.',
  'condition.checks_spooled':
    'Les vérifications sont mises en attente sur ce nœud : {cause}. Rétablissez la base de données ; elles sont envoyées d’elles-mêmes.',
  'condition.checks_waiting':
    'Vérifications publiques de ce nœud qui ne sont pas encore dans la base de données : {count}. Elles sont envoyées d’elles-mêmes dès qu’elle les accepte.',
  'condition.checks_refused':
    'Vérifications répondues de ce nœud que la base de données a refusées : {count}. Voir lurecheck nodes spool list.',
  'condition.private_checks_waiting':
    'Des vérifications privées de ce nœud ne sont pas encore dans la base de données. Elles sont envoyées d’elles-mêmes dès qu’elle les accepte.',
  'condition.private_checks_refused':
    'La base de données a refusé des vérifications privées répondues de ce nœud. Voir lurecheck nodes spool list.',
  'condition.database_outdated':
    'Un ancien serveur primaire répond à côté du serveur de base de données qui l’a remplacé. Isolez-le ou faites-en un serveur de secours.',
  'condition.node_name_taken': 'Un autre nœud porte le nom de celui-ci. Donnez à chaque nœud son propre node_name.',
  'condition.fleet_not_followed':
    'Depuis plus d’une minute, ce nœud ne peut pas lire les données partagées et continue avec sa copie. Voir fleet.not_read dans son journal.',
  'condition.pack_unusable': 'Le paquet {pack} est inutilisable : {cause}. Installez-le de nouveau.',
  'condition.pack_expired':
    'Le paquet {pack} a expiré le {date} : son contenu reste actif, mais ses listes ne décident plus seules. Installez-en un plus récent.',
  'condition.pack_key_revoked':
    'Le paquet {pack} est actif, et la clé de {publisher} qui l’a signé a été révoquée. Installez-en un signé par une autre clé.',
  'condition.clock_behind':
    'L’horloge indique {clock}, et cet hôte a observé {seen}. Corrigez l’horloge ; d’ici là, l’heure la plus tardive décide de l’expiration des paquets.',
  'condition.clock_differs':
    'L’horloge de cet hôte diffère de {seconds} s de celle d’un pair ({peer}). Synchronisez les deux par NTP.',
  'condition.keys_unusable':
    'Le fichier des clés est illisible : les clés précédentes restent actives, ou aucune après un démarrage. Corrigez-le ou restaurez-le.',
  'condition.lists_unusable':
    'Les listes sont illisibles : les précédentes restent actives, ou aucune après un démarrage. Importez-les de nouveau ou restaurez une sauvegarde.',
  'condition.brands_unusable':
    'Les marques configurées sont illisibles : les précédentes restent actives, ou aucune après un démarrage. Corrigez ou restaurez leur fichier.',
  'condition.model_unusable':
    'Le modèle choisi est inutilisable : le précédent reste actif, ou le modèle intégré après un démarrage. Choisissez ou installez-en un autre.',
  'condition.packs_unusable':
    'Les paquets actifs ne peuvent pas être déterminés. Installez-les de nouveau ou restaurez une sauvegarde.',
  'condition.named_list_unusable':
    'La liste {list} est illisible et n’est pas active. Rendez son fichier lisible pour le service ou corrigez-le, puis rechargez le service.',
  'condition.feeds_stale':
    'Les flux ne peuvent pas être produits : ils gardent leur dernière version. Voir feeds.kept dans le journal du service.',
  'condition.feeds_missing':
    'Les flux ne peuvent pas être produits : ils répondent 503. Voir feeds.kept dans le journal du service.',
  'condition.notifications_failed':
    'Les notifications par {channel} ne sont pas remises. Vérifiez les réglages et que le serveur est joignable.',
  'condition.gate_unexamined':
    '{percent} % des requêtes des proxys web sont passées sans examen en dix minutes. lurecheck_gate_unexamined_total en donne les causes.',
  'condition.milter_unexamined':
    '{percent} % des e-mails sont passés sans examen en dix minutes. lurecheck_milter_unexamined_total en donne les causes.',
  'condition.proxy_without_addresses':
    'Un proxy n’envoie pas les adresses des clients. Réglez adaptation_send_client_ip on dans Squid.',
  'condition.proxy_without_previews': 'Un proxy envoie des corps entiers. Réglez icap_preview_enable on dans Squid.',
  'condition.proxy_asks_twice':
    'Un proxy déchiffre https et interroge aussi sur les tunnels, qui sont retenus sans page. Exemptez CONNECT.',
  'condition.rotation_failed':
    'La nouvelle valeur de {setting} ne fonctionne pas : l’ancienne reste utilisée, et la nouvelle est réessayée. Voir settings.rotation_failed dans le journal.',
  'condition.settings_refused':
    'Les réglages ont été modifiés et sont invalides : les précédents restent actifs. Lancez lurecheck config check.',
  'condition.limiter_unavailable':
    'Le limiteur partagé est indisponible : ce nœud compte seul ses clients. Vérifiez le serveur Redis.',
  'condition.limiter_outdated':
    'Un ancien primaire du limiteur accepte des écritures à côté du serveur qui l’a remplacé. Faites-en un réplica.',
  'condition.browser_unavailable':
    'Le navigateur ne fonctionne pas : les pages sont vérifiées sans lui. Exécutez lurecheck doctor.',
  'condition.browser_unguarded':
    'Il manque au navigateur des options qui gardent son trafic dans les règles. Exécutez lurecheck doctor.',
};
