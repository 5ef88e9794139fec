import type { ConditionTexts } from './condition-texts.ts';

/** Spanish sentences of the conditions. */
export const conditionsSpanish: ConditionTexts = {
  'condition.backup_failed': 'La última copia programada falló: {cause}. Corrija la causa y cree una copia ahora.',
  'condition.backup_old':
    'La última copia programada tiene {days} días. Cree una ahora y averigüe por qué no hubo otra.',
  'condition.key_expires': 'Caducan claves: {keys}. Cree otras y entréguelas a sus usuarios.',
  'condition.feed_not_pulled':
    'Con estas claves no se leyó ninguna fuente en un día: {keys}. Compruebe si sus equipos aún llegan al servicio.',
  'condition.certificate_expires':
    'El certificado del servicio caduca: {date}. Renueve tls_certificate y recargue el servicio.',
  'condition.list_stale':
    'Hay listas importadas sin cambios desde hace 30 días o más: {lists}. Compruebe si su importación aún funciona.',
  'condition.model_old': 'El modelo tiene {days} días. Actualice lurecheck o instale un paquete con uno más reciente.',
  'condition.gate_watching':
    'La pasarela observa desde hace {days} días y no retiene nada. Lea su informe y ponga gate_mode en hold.',
  'condition.list_source_failed':
    'La fuente de la lista {list} no se puede usar: {cause}. Corrija el ajuste list_sources o la fuente y vuelva a intentarlo.',
  'condition.log_unavailable':
    'Se rechazan comprobaciones porque no se puede escribir un registro. Libere espacio o corrija la causa que indica el registro del servicio.',
  'condition.log_damaged':
    'Un registro perdió comprobaciones o está dañado. Ejecute lurecheck doctor, que indica cuál y qué hacer.',
  'condition.checks_spooled':
    'Las comprobaciones se guardan temporalmente en este nodo: {cause}. Restablezca la base de datos; se envían solas.',
  'condition.checks_waiting':
    'Comprobaciones públicas de este nodo que aún no están en la base de datos: {count}. Se envían solas en cuanto las acepte.',
  'condition.checks_refused':
    'Comprobaciones respondidas de este nodo que la base de datos rechazó: {count}. Consulte lurecheck nodes spool list.',
  'condition.private_checks_waiting':
    'Hay comprobaciones privadas de este nodo que aún no están en la base de datos. Se envían solas en cuanto las acepte.',
  'condition.private_checks_refused':
    'La base de datos rechazó comprobaciones privadas respondidas de este nodo. Consulte lurecheck nodes spool list.',
  'condition.database_outdated':
    'Un antiguo servidor primario responde junto al servidor de base de datos que lo reemplazó. Aíslelo o conviértalo en réplica.',
  'condition.node_name_taken': 'Otro nodo tiene el nombre de este. Dé a cada nodo un node_name propio.',
  'condition.fleet_not_followed':
    'Durante más de un minuto este nodo no pudo leer los datos compartidos y continúa con su copia. Consulte fleet.not_read en su registro.',
  'condition.pack_unusable': 'El paquete {pack} no se puede usar: {cause}. Instálelo de nuevo.',
  'condition.pack_expired':
    'El paquete {pack} caducó el {date}: su contenido sigue activo, pero sus listas ya no deciden solas. Instale uno más nuevo.',
  'condition.pack_key_revoked':
    'El paquete {pack} está activo y la clave de {publisher} que lo firmó fue revocada. Instale uno firmado con otra clave.',
  'condition.clock_behind':
    'El reloj marca {clock}, y este equipo ha observado {seen}. Corrija el reloj; hasta entonces la hora posterior decide cuándo caducan los paquetes.',
  'condition.clock_differs':
    'El reloj de este equipo difiere en {seconds} s del de un interlocutor ({peer}). Sincronice ambos con NTP.',
  'condition.keys_unusable':
    'El archivo de claves no se puede leer: siguen activas las anteriores, o ninguna tras un inicio. Corríjalo o restáurelo.',
  'condition.lists_unusable':
    'Las listas no se pueden leer: siguen activas las anteriores, o ninguna tras un inicio. Impórtelas de nuevo o restaure una copia.',
  'condition.brands_unusable':
    'Las marcas configuradas no se pueden leer: siguen activas las anteriores, o ninguna tras un inicio. Corrija o restaure su archivo.',
  'condition.model_unusable':
    'El modelo elegido no se puede usar: sigue activo el anterior, o el incorporado tras un inicio. Elija o instale otro.',
  'condition.packs_unusable': 'No se pueden determinar los paquetes activos. Instálelos de nuevo o restaure una copia.',
  'condition.named_list_unusable':
    'La lista {list} no se puede leer y no está activa. Haga legible su archivo para el servicio o corríjalo, y recargue el servicio.',
  'condition.feeds_stale':
    'No se pueden generar los feeds: conservan su última versión. Consulte feeds.kept en el registro del servicio.',
  'condition.feeds_missing':
    'No se pueden generar los feeds: responden 503. Consulte feeds.kept en el registro del servicio.',
  'condition.notifications_failed':
    'Las notificaciones por {channel} no se entregan. Compruebe los ajustes y que el servidor esté accesible.',
  'condition.gate_unexamined':
    'El {percent} % de las solicitudes de proxies web pasó sin examinar en diez minutos. lurecheck_gate_unexamined_total indica las causas.',
  'condition.milter_unexamined':
    'El {percent} % de los correos pasó sin examinar en diez minutos. lurecheck_milter_unexamined_total indica las causas.',
  'condition.proxy_without_addresses':
    'Un proxy no envía direcciones de clientes. Ponga adaptation_send_client_ip on en Squid.',
  'condition.proxy_without_previews': 'Un proxy envía cuerpos completos. Ponga icap_preview_enable on en Squid.',
  'condition.proxy_asks_twice':
    'Un proxy descifra https y pregunta también por túneles, que se retienen sin página. Excluya CONNECT.',
  'condition.rotation_failed':
    'El valor cambiado de {setting} no funciona: se mantiene el anterior y se vuelve a intentar. Consulte settings.rotation_failed en el registro.',
  'condition.settings_refused':
    'Los ajustes se cambiaron y no son válidos: siguen activos los anteriores. Ejecute lurecheck config check.',
  'condition.limiter_unavailable':
    'El limitador compartido no está disponible: este nodo cuenta solo sus clientes. Compruebe el servidor Redis.',
  'condition.limiter_outdated':
    'Un antiguo primario del limitador acepta escrituras junto al servidor que lo reemplazó. Conviértalo en réplica.',
  'condition.browser_unavailable':
    'El navegador no funciona: las páginas se comprueban sin él. Ejecute lurecheck doctor.',
  'condition.browser_unguarded':
    'Al navegador le faltan opciones que mantienen su tráfico dentro de las reglas. Ejecute lurecheck doctor.',
};
