//! The words that carry a rule's meaning, in six languages.

/// What a phrase does in a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Forbids.
    Not,
    /// Denies without forbidding; such a sentence controls nothing.
    Neutral,
    /// Forbids any change of what is named; stands beside `Not`.
    KeepOut,
    /// What follows is the controlled action.
    Before,
    /// What precedes is the controlled action (Chinese, Japanese).
    BeforePost,
    /// What follows must have been done.
    Without,
    /// What precedes must have been done (Japanese).
    WithoutPost,
    /// What follows comes first in time.
    After,
    /// What follows comes later in time (Chinese).
    Then,
    /// What follows comes later, if something is said to come first.
    Later,
    /// The first needs the second.
    Requires,
    /// Names what to use.
    Use,
    /// What follows is to be avoided in favour of the other.
    InsteadOf,
    /// What precedes is to be avoided (Japanese).
    InsteadPost,
    /// The other was to be avoided: a bare `instead`.
    Instead,
    /// Restricts to a place.
    Only,
    /// Starts a main clause.
    Run,
    /// Speaks of reading.
    Read,
    /// Speaks of branches.
    Branch,
    /// Speaks of how things are named.
    Named,
    /// Ends a clause.
    Comma,
}

/// Phrases of languages that put blanks between words, in lower case, parted
/// by bars: English first, then German, French and Spanish.
const PHRASES: &[(Mark, &str)] = &[
    (
        Mark::Not,
        "never|nothing|nobody|is not to be|is not allowed|are not allowed|not|do not|don't|dont|cannot|can't|must not|mustn't|must never|should not|shouldn't|\
         should never|may not|no|avoid|forbidden|prohibited|disallowed|banned|not allowed|\
         not permitted|refrain from|stop using|stop|won't|isn't allowed|\
         nie|niemals|nicht|kein|keine|keinen|keinesfalls|verboten|untersagt|darf nicht|\
         jamais|pas|interdit|interdite|évite|éviter|évitez|défense|\
         nunca|jamás|prohibido|prohibida|evita|evite|evitar",
    ),
    (
        Mark::Neutral,
        "do not stop|don't stop|never stop|must not stop|should not stop|do not hesitate|don't hesitate|\
         never hesitate|no need to hesitate|do not ignore|don't ignore|never ignore|must not ignore|\
         should not ignore|cannot ignore|do not avoid|don't avoid|don't be afraid|do not be afraid|feel free|\
         nicht zögern|no longer|need not|needn't|do not need|don't need|not required|not necessary|no need|\
         don't worry|do not worry|not only|not yet|does not|doesn't|did not|didn't|is not|isn't|\
         are not|aren't|was not|wasn't|fine to|okay to|ok to|allowed to|nicht nötig|nicht mehr|\
         pas besoin|plus besoin|no hace falta|ya no",
    ),
    (
        Mark::KeepOut,
        "alone|untouched|keep out of|stay out of|stay away from|keep away from|hands off|off limits|off-limits|\
         read-only|frozen|keep your hands off|leave alone|must stay as is|finger weg|tabu",
    ),
    (
        Mark::Before,
        "is a prerequisite for|is a prerequisite of|is a precondition for|must precede|before|prior to|ahead of|vor|bevor|vor dem|vor jedem|vor der|avant|avant de|avant d'|\
         antes de|antes del|antes que",
    ),
    (
        Mark::Without,
        "other than|apart from|aside from|without|unless|until|outside|outside of|except|except with|except after|except in|\
         except on|except from|ohne|es sei denn|solange nicht|außer|außerhalb|sans|sauf|\
         à moins de|sin|a menos que|salvo|excepto",
    ),
    (Mark::After, "after|once|nach|nachdem|après|después de"),
    (
        Mark::Requires,
        "requires|require|needs|must come after|must follow|must run after|comes after|depends on|must be preceded by|erfordert|benötigt|braucht|verlangt|\
         requiert|nécessite|exige|requiere|necesita",
    ),
    (
        Mark::Use,
        "use|using|prefer|benutze|verwende|nutze|nimm|benutzen|verwenden|nutzen|utilise|utilisez|\
         utiliser|préfère|usa|usar|utiliza|utilizar|usad",
    ),
    (
        Mark::InsteadOf,
        "instead of|rather than|in place of|over|in favor of|statt|anstatt|anstelle von|\
         au lieu de|au lieu d'|plutôt que|en lugar de|en vez de",
    ),
    (Mark::InsteadPost, "sondern|sino|but rather|but instead use"),
    (
        Mark::Then,
        "only then|und erst dann|erst dann|et seulement ensuite",
    ),
    (Mark::Later, "then|dann|danach|puis|ensuite|luego|entonces"),
    (Mark::Instead, "instead|stattdessen|à la place|en su lugar"),
    (
        Mark::Only,
        "only|exclusively|nur|ausschließlich|seulement|uniquement|solo|sólo|solamente|únicamente",
    ),
    (
        Mark::Run,
        "run|execute|do|don't forget|do not forget|never forget|must not forget|should not forget|never skip|\
         do not skip|don't skip|must not skip|should not skip|never omit|do not omit|don't omit|must not omit|\
         never miss|do not miss|don't miss|never neglect|do not neglect|don't neglect|never fail|do not fail|\
         don't fail|must not fail|vergiss nie|vergiss nicht|nie vergessen|nicht vergessen|n'oublie pas|\
         n'oubliez pas|n'oubliez jamais|no olvides|nunca olvides|ensure|make sure|always|must|call|invoke|you|please|take|verify|\
         check|führe|ausführen|immer|muss|starte|exécute|exécuter|exécutez|lance|lancer|lancez|\
         toujours|ejecuta|ejecutar|ejecute|corre|siempre",
    ),
    (
        Mark::Read,
        "read|reading|open|print|show|display|dump|view|look at|look into|cat|log|upload|access|\
         copy|lesen|öffnen|anzeigen|lire|ouvrir|affiche|afficher|leer|lee|abrir|mostrar",
    ),
    (
        Mark::Branch,
        "branch|branches|zweig|zweige|branche|rama|ramas",
    ),
    (
        Mark::Named,
        "name|named|names|called|prefix|prefixed|start with|begin with|starts with",
    ),
];

/// Phrases of Chinese and Japanese; the longest that fits counts.
const CJK: &[(Mark, &str)] = &[
    (
        Mark::Neutral,
        "不需要 不必 不用 必要はありません 必要はない 必要ありません 可以",
    ),
    (
        Mark::InsteadPost,
        "使わず ではなく じゃなく の代わりに かわりに",
    ),
    (Mark::InsteadOf, "而不是 而非"),
    (Mark::BeforePost, "する前に の前に 前には 前に 之前 以前 前"),
    (Mark::WithoutPost, "せずに なしで なしに ずに しない限り"),
    (
        Mark::Not,
        "しないで しないこと ないでください てはいけ てはならない 絶対に 決して 禁止 しない 使わない 触らない \
         触れない 変更しない 不要 切勿 绝不 不得 不能 不可 请勿 严禁 永远不 不准 别",
    ),
    (Mark::Without, "没有 未先 未 除非"),
    (Mark::Run, "必须先 先 运行 执行 実行 必ず 必须"),
    (
        Mark::Then,
        "てから た後に た後で のあとに 再 然后 才能 才可以 才可",
    ),
    (Mark::Requires, "需要 が必要 必要"),
    (Mark::Only, "只能 只 仅 のみ だけ"),
    (Mark::Use, "使用 使って 使う 用"),
    (Mark::Branch, "分支 ブランチ"),
    (Mark::Read, "读取 読"),
];

/// Finds the longest phrase that starts `words`; returns it with its length.
pub(super) fn phrase(words: &[&str]) -> Option<(Mark, usize)> {
    let mut best: Option<(Mark, usize)> = None;
    for (mark, phrases) in PHRASES {
        for phrase in phrases.split('|') {
            let len = phrase.split(' ').count();
            let fits = words.len() >= len && phrase.split(' ').eq(words[..len].iter().copied());
            if fits && best.is_none_or(|(_, longest)| len > longest) {
                best = Some((*mark, len));
            }
        }
    }
    best
}

/// Operations named in other languages, under their English names.
const VERBS: &[(&str, &str)] = &[
    ("push", "推送 プッシュ pushen pousser"),
    ("commit", "提交 コミット committen commiter"),
    ("merge", "合并 マージ mergen fusionner"),
    (
        "deploy",
        "部署 デプロイ deployen ausrollen déployer déploiement desplegar despliegue deployment",
    ),
    ("publish", "发布 公開 veröffentlichen publier publicar"),
    (
        "delete",
        "删除 削除 löschen gelöscht supprimer borrar eliminar",
    ),
    (
        "touch",
        "触 碰 动 anfassen berühren fass anrühren toucher touche touchez tocar toques toque",
    ),
    (
        "modify",
        "修改 变更 変更 改动 ändern geändert ändere verändern verändert modifier modifie modifiez \
         modifié modificar modifiques modificado cambiar cambies",
    ),
    (
        "edit",
        "编辑 編集 bearbeiten bearbeitet éditer editar edites editado",
    ),
];

/// Returns the English name of an operation named in another language.
pub(super) fn verb(word: &str) -> Option<&'static str> {
    let named = |names: &str| names.split(' ').any(|name| name == word);
    VERBS
        .iter()
        .find(|(_, names)| named(names))
        .map(|(verb, _)| *verb)
}

fn verb_at(text: &str) -> Option<&'static str> {
    let starts = |names: &str| names.split(' ').any(|name| text.starts_with(name));
    VERBS
        .iter()
        .find(|(_, names)| starts(names))
        .map(|(verb, _)| *verb)
}

/// What is found in a run of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A word that carries a rule's meaning.
    Mark(Mark),
    /// An operation, by its English name.
    Verb(&'static str),
    /// The stage of production.
    Production,
    /// A restriction to a time or case.
    Restriction,
}

/// Times and cases, to which a rule in Chinese or Japanese may be restricted.
const RESTRICTIONS: &str = "星期 周一 周二 周三 周四 周五 周六 周日 周末 晚上 夜间 期间 如果 时候 曜日 週末 夜間 もし 場合";

/// Finds the phrases of a run of Chinese or Japanese text, in order.
pub(super) fn cjk(text: &str) -> Vec<Found> {
    let mut marks = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let phrases = CJK
            .iter()
            .flat_map(|(mark, all)| all.split(' ').map(move |p| (p, *mark)));
        let fits = phrases.filter(|(phrase, _)| rest.starts_with(phrase));
        if let Some((phrase, mark)) = fits.max_by_key(|(phrase, _)| phrase.len()) {
            marks.push(Found::Mark(mark));
            if let Some(verb) = verb_at(phrase) {
                marks.push(Found::Verb(verb));
            }
            rest = &rest[phrase.len()..];
        } else {
            if let Some(verb) = verb_at(rest) {
                marks.push(Found::Verb(verb));
            }
            if ["本番", "生产", "线上"]
                .iter()
                .any(|name| rest.starts_with(name))
            {
                marks.push(Found::Production);
            }
            if RESTRICTIONS.split(' ').any(|name| rest.starts_with(name)) {
                marks.push(Found::Restriction);
            }
            if matches!(first, '，' | '、' | '：' | '；') {
                marks.push(Found::Mark(Mark::Comma));
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    marks
}

/// Tells whether a character is written without blanks between words.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}
