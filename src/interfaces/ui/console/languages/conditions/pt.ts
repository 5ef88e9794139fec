import type { ConditionTexts } from './condition-texts.ts';

/** Portuguese sentences of the conditions. */
export const conditionsPortuguese: ConditionTexts = {
  'condition.backup_failed': 'A última cópia agendada falhou: {cause}. Corrija a causa e crie uma cópia agora.',
  'condition.backup_old': 'A última cópia agendada tem {days} dias. Crie uma agora e veja porque não houve outra.',
  'condition.key_expires': 'Há chaves a expirar: {keys}. Crie outras e entregue-as aos seus utilizadores.',
  'condition.feed_not_pulled':
    'Nenhum feed foi lido com estas chaves há um dia: {keys}. Veja se os seus equipamentos ainda chegam ao serviço.',
  'condition.certificate_expires':
    'O certificado do serviço expira: {date}. Renove tls_certificate e recarregue o serviço.',
  'condition.list_stale':
    'Listas importadas sem alterações há 30 dias ou mais: {lists}. Veja se a sua importação ainda funciona.',
  'condition.model_old': 'O modelo tem {days} dias. Atualize o lurecheck ou instale um pacote mais recente.',
  'condition.gate_watching':
    'O gate observa há {days} dias e não retém nada. Leia o relatório e defina gate_mode como hold.',
  'condition.list_source_failed':
    'A fonte da lista {list} não pode ser usada: {cause}. Corrija a definição list_sources ou a fonte e tente de novo.',
  'condition.log_unavailable':
    'As verificações são recusadas porque um registo não pode ser escrito. Liberte espaço ou corrija a causa indicada no registo do serviço.',
  'condition.log_damaged':
    'Um registo perdeu verificações ou foi danificado. Execute lurecheck doctor, que indica qual e o que fazer.',
  'condition.checks_spooled':
    'As verificações ficam em espera neste nó: {cause}. Restabeleça a base de dados; são enviadas por si.',
  'condition.checks_waiting':
    'Verificações públicas deste nó que ainda não estão na base de dados: {count}. São enviadas por si assim que as aceitar.',
  'condition.checks_refused':
    'Verificações respondidas deste nó que a base de dados recusou: {count}. Veja lurecheck nodes spool list.',
  'condition.private_checks_waiting':
    'Há verificações privadas deste nó que ainda não estão na base de dados. São enviadas por si assim que as aceitar.',
  'condition.private_checks_refused':
    'A base de dados recusou verificações privadas respondidas deste nó. Veja lurecheck nodes spool list.',
  'condition.database_outdated':
    'Um antigo servidor primário responde ao lado do servidor de base de dados que o substituiu. Isole-o ou torne-o standby.',
  'condition.node_name_taken': 'Outro nó tem o nome deste. Dê a cada nó um node_name próprio.',
  'condition.fleet_not_followed':
    'Durante mais de um minuto este nó não conseguiu ler os dados partilhados e continua com a sua cópia. Veja fleet.not_read no seu registo.',
  'condition.pack_unusable': 'O pacote {pack} não pode ser usado: {cause}. Instale-o de novo.',
  'condition.pack_expired':
    'O pacote {pack} expirou em {date}: o conteúdo continua ativo, mas as suas listas já não decidem sozinhas. Instale um mais recente.',
  'condition.pack_key_revoked':
    'O pacote {pack} está ativo e a chave de {publisher} que o assinou foi revogada. Instale um assinado por outra chave.',
  'condition.clock_behind':
    'O relógio mostra {clock}, e este anfitrião observou {seen}. Corrija o relógio; até lá a hora posterior decide quando os pacotes expiram.',
  'condition.clock_differs':
    'O relógio deste anfitrião difere {seconds} s do de um interlocutor ({peer}). Sincronize ambos com NTP.',
  'condition.keys_unusable':
    'O ficheiro de chaves não pode ser lido: as anteriores continuam ativas, ou nenhuma após um arranque. Corrija-o ou restaure-o.',
  'condition.lists_unusable':
    'As listas não podem ser lidas: as anteriores continuam ativas, ou nenhuma após um arranque. Importe-as de novo ou restaure uma cópia.',
  'condition.brands_unusable':
    'As marcas configuradas não podem ser lidas: as anteriores continuam ativas, ou nenhuma após um arranque. Corrija ou restaure o seu ficheiro.',
  'condition.model_unusable':
    'O modelo escolhido não pode ser usado: o anterior continua ativo, ou o incorporado após um arranque. Escolha ou instale outro.',
  'condition.packs_unusable': 'Não é possível determinar os pacotes ativos. Instale-os de novo ou restaure uma cópia.',
  'condition.named_list_unusable':
    'A lista {list} não pode ser lida e não está ativa. Torne o seu ficheiro legível para o serviço ou corrija-o, e recarregue o serviço.',
  'condition.feeds_stale':
    'Os feeds não podem ser gerados: mantêm a última versão. Veja feeds.kept no registo do serviço.',
  'condition.feeds_missing': 'Os feeds não podem ser gerados: respondem 503. Veja feeds.kept no registo do serviço.',
  'condition.notifications_failed':
    'As notificações por {channel} não são entregues. Verifique as definições e se o servidor está acessível.',
  'condition.gate_unexamined':
    '{percent} % dos pedidos de proxies web passaram sem exame em dez minutos. lurecheck_gate_unexamined_total indica as causas.',
  'condition.milter_unexamined':
    '{percent} % dos e-mails passaram sem exame em dez minutos. lurecheck_milter_unexamined_total indica as causas.',
  'condition.proxy_without_addresses':
    'Um proxy não envia endereços de clientes. Defina adaptation_send_client_ip on no Squid.',
  'condition.proxy_without_previews': 'Um proxy envia corpos inteiros. Defina icap_preview_enable on no Squid.',
  'condition.proxy_asks_twice':
    'Um proxy decifra https e pergunta também por túneis, que são retidos sem página. Exclua CONNECT.',
  'condition.rotation_failed':
    'O valor alterado de {setting} não funciona: o anterior continua em uso e é feita nova tentativa. Veja settings.rotation_failed no registo.',
  'condition.settings_refused':
    'As definições foram alteradas e são inválidas: as anteriores continuam ativas. Execute lurecheck config check.',
  'condition.limiter_unavailable':
    'O limitador partilhado não está disponível: este nó conta sozinho os seus clientes. Verifique o servidor Redis.',
  'condition.limiter_outdated':
    'Um antigo primário do limitador aceita escritas ao lado do servidor que o substituiu. Torne-o uma réplica.',
  'condition.browser_unavailable':
    'O navegador não está a funcionar: as páginas são verificadas sem ele. Execute lurecheck doctor.',
  'condition.browser_unguarded':
    'Faltam ao navegador opções que mantêm o seu tráfego dentro das regras. Execute lurecheck doctor.',
};
