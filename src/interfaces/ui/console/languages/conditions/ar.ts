import type { ConditionTexts } from './condition-texts.ts';

/** Arabic sentences of the conditions. */
export const conditionsArabic: ConditionTexts = {
  'condition.backup_failed': 'فشل آخر نسخ احتياطي مجدول: {cause}. أصلح السبب ثم أنشئ نسخة الآن.',
  'condition.backup_old': 'عمر آخر نسخة احتياطية مجدولة {days} يومًا. أنشئ نسخة الآن واعرف لماذا لم تُنشأ أخرى.',
  'condition.key_expires': 'مفاتيح توشك صلاحيتها على الانتهاء: {keys}. أنشئ غيرها وسلّمها لمستخدميها.',
  'condition.feed_not_pulled':
    'لم تُجلب أي تغذية بهذه المفاتيح منذ يوم: {keys}. تحقق من أن أجهزتها ما زالت تصل إلى الخدمة.',
  'condition.certificate_expires': 'تنتهي شهادة الخدمة: {date}. جدّد tls_certificate وأعد تحميل الخدمة.',
  'condition.list_stale': 'قوائم مستوردة لم تتغير منذ 30 يومًا أو أكثر: {lists}. تحقق من أن استيرادها ما زال يعمل.',
  'condition.model_old': 'عمر النموذج {days} يومًا. حدّث lurecheck أو ثبّت حزمة أحدث.',
  'condition.gate_watching': 'البوابة تراقب منذ {days} يومًا ولا تحجز شيئًا. اقرأ تقريرها واضبط gate_mode على hold.',
  'condition.list_source_failed':
    'لا يمكن استخدام مصدر القائمة {list}: {cause}. صحّح الإعداد list_sources أو المصدر ثم حاول مجددًا.',
  'condition.log_unavailable':
    'تُرفض عمليات الفحص لأن أحد السجلات لا يمكن الكتابة فيه. وفّر مساحة أو عالج السبب المذكور في سجل الخدمة.',
  'condition.log_damaged':
    'فقد أحد السجلات عمليات فحص أو تعرّض للتلف. شغّل lurecheck doctor، فهو يذكر السجل وما يجب فعله.',
  'condition.checks_spooled':
    'تُحفظ عمليات الفحص مؤقتًا على هذه العقدة: {cause}. أعد تشغيل قاعدة البيانات؛ فتُرسل تلقائيًا.',
  'condition.checks_waiting':
    'عمليات الفحص العامة على هذه العقدة التي لم تصل بعد إلى قاعدة البيانات: {count}. تُرسل تلقائيًا متى قبلتها.',
  'condition.checks_refused':
    'عمليات فحص أُجيب عنها في هذه العقدة ورفضتها قاعدة البيانات: {count}. راجع lurecheck nodes spool list.',
  'condition.private_checks_waiting':
    'بعض عمليات الفحص الخاصة على هذه العقدة لم تصل بعد إلى قاعدة البيانات. تُرسل تلقائيًا متى قبلتها.',
  'condition.private_checks_refused':
    'رفضت قاعدة البيانات عمليات فحص خاصة أُجيب عنها في هذه العقدة. راجع lurecheck nodes spool list.',
  'condition.database_outdated':
    'خادم أساسي سابق يجيب إلى جانب خادم قاعدة البيانات الذي حلّ محله. اعزله أو اجعله احتياطيًا.',
  'condition.node_name_taken': 'عقدة أخرى تحمل اسم هذه العقدة. امنح كل عقدة node_name خاصًا بها.',
  'condition.fleet_not_followed':
    'تعذّر على هذه العقدة لأكثر من دقيقة قراءة البيانات المشتركة، وهي تتابع بنسختها. راجع fleet.not_read في سجلها.',
  'condition.pack_unusable': 'لا يمكن استخدام الحزمة {pack}: {cause}. ثبّتها من جديد.',
  'condition.pack_expired':
    'انتهت صلاحية الحزمة {pack} في {date}: يبقى محتواها فعالًا، لكن قوائمها لم تعد تقرر وحدها. ثبّت حزمة أحدث.',
  'condition.pack_key_revoked':
    'الحزمة {pack} فعالة، وقد أُلغي مفتاح {publisher} الذي وقّعها. ثبّت حزمة موقّعة بمفتاح آخر.',
  'condition.clock_behind':
    'تشير الساعة إلى {clock}، وقد رصد هذا المضيف {seen}. صحّح الساعة؛ وحتى ذلك الحين يحدد الوقت الأحدث انتهاء صلاحية الحزم.',
  'condition.clock_differs':
    'تختلف ساعة هذا المضيف بمقدار {seconds} ثانية عن ساعة طرف آخر ({peer}). زامن الساعتين عبر NTP.',
  'condition.keys_unusable':
    'تتعذّر قراءة ملف المفاتيح: تبقى المفاتيح السابقة فعالة، أو لا يبقى أي منها بعد بدء التشغيل. صحّحه أو استعده.',
  'condition.lists_unusable':
    'تتعذّر قراءة القوائم: تبقى السابقة فعالة، أو لا يبقى أي منها بعد بدء التشغيل. استوردها من جديد أو استعد نسخة احتياطية.',
  'condition.brands_unusable':
    'تتعذّر قراءة العلامات المضبوطة: تبقى السابقة فعالة، أو لا يبقى أي منها بعد بدء التشغيل. صحّح ملفها أو استعده.',
  'condition.model_unusable':
    'لا يمكن استخدام النموذج المختار: يبقى السابق فعالًا، أو المدمج بعد بدء التشغيل. اختر نموذجًا آخر أو ثبّته.',
  'condition.packs_unusable': 'تعذّر تحديد الحزم الفعالة. ثبّتها من جديد أو استعد نسخة احتياطية.',
  'condition.named_list_unusable':
    'تتعذّر قراءة القائمة {list} وهي غير فعالة. اجعل ملفها قابلًا للقراءة من الخدمة أو صحّحه، ثم أعد تحميل الخدمة.',
  'condition.feeds_stale': 'تعذّر إنشاء الخلاصات: تبقى نسختها الأخيرة. راجع feeds.kept في سجل الخدمة.',
  'condition.feeds_missing': 'تعذّر إنشاء الخلاصات: تجيب بالرمز 503. راجع feeds.kept في سجل الخدمة.',
  'condition.notifications_failed': 'لا تصل الإشعارات عبر {channel}. تحقق من الإعدادات ومن إمكان الوصول إلى الخادم.',
  'condition.gate_unexamined':
    'مرّ {percent} % من طلبات وكلاء الويب دون فحص خلال عشر دقائق. تجد الأسباب في lurecheck_gate_unexamined_total.',
  'condition.milter_unexamined':
    'مرّ {percent} % من الرسائل دون فحص خلال عشر دقائق. تجد الأسباب في lurecheck_milter_unexamined_total.',
  'condition.proxy_without_addresses':
    'أحد الوكلاء لا يرسل عناوين العملاء. اضبط adaptation_send_client_ip on في Squid.',
  'condition.proxy_without_previews': 'أحد الوكلاء يرسل المحتوى كاملًا. اضبط icap_preview_enable on في Squid.',
  'condition.proxy_asks_twice': 'أحد الوكلاء يفك تشفير https ويسأل عن الأنفاق أيضًا، فتُحجز دون صفحة. استثنِ CONNECT.',
  'condition.rotation_failed':
    'القيمة المغيّرة لـ {setting} لا تعمل: تبقى السابقة مستخدمة وتُعاد المحاولة. راجع settings.rotation_failed في السجل.',
  'condition.settings_refused': 'تغيّرت الإعدادات وهي غير صالحة: تبقى السابقة فعالة. شغّل lurecheck config check.',
  'condition.limiter_unavailable': 'المحدِّد المشترك غير متاح: تحصي هذه العقدة عملاءها وحدها. تحقق من خادم Redis.',
  'condition.limiter_outdated': 'خادم أساسي سابق للمحدِّد يقبل الكتابة إلى جانب الخادم الذي حلّ محله. اجعله نسخة متماثلة.',
  'condition.browser_unavailable': 'المتصفح لا يعمل: تُفحص الصفحات من دونه. شغّل lurecheck doctor.',
  'condition.browser_unguarded': 'المتصفح يعمل من دون خيارات تُبقي حركة بياناته ضمن القواعد. شغّل lurecheck doctor.',
};
