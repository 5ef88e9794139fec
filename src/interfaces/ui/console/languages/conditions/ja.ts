import type { ConditionTexts } from './condition-texts.ts';

/** Japanese sentences of the conditions. */
export const conditionsJapanese: ConditionTexts = {
  'condition.backup_failed':
    '前回の定期バックアップに失敗しました: {cause}。原因を直し、今すぐバックアップを作成してください。',
  'condition.backup_old':
    '最新の定期バックアップは {days} 日前のものです。今すぐ作成し、その後作成されなかった理由を確認してください。',
  'condition.key_expires': 'まもなく期限が切れるキー: {keys}。新しいキーを作成し、利用者に渡してください。',
  'condition.feed_not_pulled':
    '次のキーでは 1 日間フィードが取得されていません: {keys}。機器がサービスに接続できるか確認してください。',
  'condition.certificate_expires':
    'サービスの証明書の期限: {date}。tls_certificate を更新し、サービスを再読み込みしてください。',
  'condition.list_stale':
    '取り込んだリストが 30 日以上変わっていません: {lists}。取り込みが動いているか確認してください。',
  'condition.model_old': 'モデルは {days} 日前のものです。lurecheck を更新するか、新しいパックを導入してください。',
  'condition.gate_watching':
    'ゲートは {days} 日間監視のみで、何も止めていません。報告を読み、gate_mode を hold にしてください。',
  'condition.list_source_failed':
    'リスト {list} の取得元が使えません: {cause}。設定 list_sources か取得元を直し、再試行してください。',
  'condition.log_unavailable':
    'ログに書き込めないため、チェックを拒否しています。空き容量を確保するか、サービスのログにある原因を取り除いてください。',
  'condition.log_damaged':
    'ログのチェックが失われたか、ログが破損していました。lurecheck doctor を実行すると、対象のログと対処方法がわかります。',
  'condition.checks_spooled':
    'チェックはこのノードに一時保存されています：{cause}。データベースを復旧すると、自動的に送信されます。',
  'condition.checks_waiting':
    'このノードの公開チェックのうち、まだデータベースにないもの：{count} 件。データベースが受け付けると自動的に送信されます。',
  'condition.checks_refused':
    'このノードの回答済みチェックのうち、データベースが拒否したもの：{count} 件。lurecheck nodes spool list を参照してください。',
  'condition.private_checks_waiting':
    'このノードの非公開チェックの一部がまだデータベースにありません。データベースが受け付けると自動的に送信されます。',
  'condition.private_checks_refused':
    'データベースがこのノードの回答済みの非公開チェックを拒否しました。lurecheck nodes spool list を参照してください。',
  'condition.database_outdated':
    '以前のプライマリが、後任のデータベースサーバーと並んで応答しています。隔離するか、スタンバイにしてください。',
  'condition.node_name_taken':
    '別のノードがこのノードと同じ名前を使っています。ノードごとに異なる node_name を設定してください。',
  'condition.fleet_not_followed':
    'このノードは 1 分以上、共有データを読み取れず、手元のコピーで動作を続けています。ログの fleet.not_read を参照してください。',
  'condition.pack_unusable': 'パック {pack} は使用できません：{cause}。もう一度インストールしてください。',
  'condition.pack_expired':
    'パック {pack} は {date} に期限切れになりました。内容は引き続き有効ですが、そのリストだけでは判定しません。新しいものをインストールしてください。',
  'condition.pack_key_revoked':
    'パック {pack} は有効ですが、署名した {publisher} のキーは取り消されています。別のキーで署名されたものをインストールしてください。',
  'condition.clock_behind':
    '時計は {clock} を示していますが、このホストは {seen} を観測しています。時計を合わせてください。それまでは遅い方の時刻でパックの期限を判定します。',
  'condition.clock_differs':
    'このホストの時計は接続先（{peer}）の時計と {seconds} 秒ずれています。両方を NTP で同期してください。',
  'condition.keys_unusable':
    'キーのファイルを読み取れません。以前のキーが有効なままですが、起動後は 1 つも有効になりません。修正するか復元してください。',
  'condition.lists_unusable':
    'リストを読み取れません。以前のリストが有効なままですが、起動後は 1 つも有効になりません。もう一度インポートするか、バックアップを復元してください。',
  'condition.brands_unusable':
    '設定したブランドを読み取れません。以前のものが有効なままですが、起動後は 1 つも有効になりません。ファイルを修正するか復元してください。',
  'condition.model_unusable':
    '選択したモデルは使用できません。以前のモデル（起動後は内蔵モデル）が有効です。別のモデルを選択するかインストールしてください。',
  'condition.packs_unusable':
    '有効なパックを判別できません。もう一度インストールするか、バックアップを復元してください。',
  'condition.named_list_unusable':
    'リスト {list} を読み取れず、有効になっていません。サービスがファイルを読めるようにするか修正し、サービスを再読み込みしてください。',
  'condition.feeds_stale': 'フィードを作成できず、最後の版のままです。サービスのログの feeds.kept を参照してください。',
  'condition.feeds_missing':
    'フィードを作成できず、503 を返しています。サービスのログの feeds.kept を参照してください。',
  'condition.notifications_failed':
    '{channel} による通知が届いていません。設定と、サーバーに接続できることを確認してください。',
  'condition.gate_unexamined':
    '直近 10 分間に、Web プロキシの要求の {percent} % が検査されずに通過しました。原因は lurecheck_gate_unexamined_total にあります。',
  'condition.milter_unexamined':
    '直近 10 分間に、メールの {percent} % が検査されずに通過しました。原因は lurecheck_milter_unexamined_total にあります。',
  'condition.proxy_without_addresses':
    'クライアントのアドレスを送らないプロキシがあります。Squid で adaptation_send_client_ip on を設定してください。',
  'condition.proxy_without_previews':
    '本文全体を送るプロキシがあります。Squid で icap_preview_enable on を設定してください。',
  'condition.proxy_asks_twice':
    'https を復号しながらトンネルについても問い合わせるプロキシがあり、トンネルはページなしで止められます。CONNECT を対象外にしてください。',
  'condition.rotation_failed':
    '変更された {setting} の値は使えません。以前の値を使い続け、再試行します。ログの settings.rotation_failed を参照してください。',
  'condition.settings_refused':
    '設定が変更されましたが無効なため、以前の設定が有効なままです。lurecheck config check を実行してください。',
  'condition.limiter_unavailable':
    '共有リミッターを利用できず、このノードは自分のクライアントだけを数えています。Redis サーバーを確認してください。',
  'condition.limiter_outdated':
    'リミッターの以前のプライマリが、後任のサーバーと並んで書き込みを受け付けています。レプリカにしてください。',
  'condition.browser_unavailable':
    'ブラウザーが動作していません。ページはブラウザーなしで検査されます。lurecheck doctor を実行してください。',
  'condition.browser_unguarded':
    'ブラウザーに、通信を規則内に保つためのフラグがありません。lurecheck doctor を実行してください。',
};
