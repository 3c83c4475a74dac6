//! The words that carry a rule's meaning, in six languages.

/// What a phrase does in a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Forbids.
    Not,
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

/// Phrases of languages that put blanks between words, in lower case.
const PHRASES: &[(Mark, &[&str])] = &[
    (
        Mark::Not,
        &[
            "never",
            "not",
            "do not",
            "don't",
            "dont",
            "cannot",
            "can't",
            "must not",
            "mustn't",
            "must never",
            "should not",
            "shouldn't",
            "should never",
            "may not",
            "no",
            "avoid",
            "forbidden",
            "prohibited",
            "disallowed",
            "banned",
            "not allowed",
            "not permitted",
            "refrain from",
            "stop using",
            "stop",
            "won't",
            "isn't allowed",
            // German
            "nie",
            "niemals",
            "nicht",
            "kein",
            "keine",
            "keinen",
            "keinesfalls",
            "verboten",
            "untersagt",
            "darf nicht",
            // French
            "jamais",
            "pas",
            "interdit",
            "interdite",
            "évite",
            "éviter",
            "évitez",
            "défense",
            // Spanish
            "nunca",
            "jamás",
            "prohibido",
            "prohibida",
            "evita",
            "evite",
            "evitar",
        ],
    ),
    (
        Mark::Before,
        &[
            "before",
            "prior to",
            "ahead of",
            "vor",
            "bevor",
            "vor dem",
            "vor jedem",
            "avant",
            "avant de",
            "avant d'",
            "antes de",
            "antes del",
            "antes que",
        ],
    ),
    (
        Mark::Without,
        &[
            "without",
            "unless",
            "until",
            "ohne",
            "es sei denn",
            "solange nicht",
            "sans",
            "sin",
            "a menos que",
            "à moins de",
            "except with",
            "except after",
        ],
    ),
    (
        Mark::After,
        &["after", "nach", "nachdem", "après", "después de", "once"],
    ),
    (
        Mark::Requires,
        &[
            "requires",
            "require",
            "needs",
            "depends on",
            "must be preceded by",
            "erfordert",
            "benötigt",
            "braucht",
            "verlangt",
            "requiert",
            "nécessite",
            "exige",
            "requiere",
            "necesita",
        ],
    ),
    (
        Mark::Use,
        &[
            "use",
            "using",
            "prefer",
            "benutze",
            "verwende",
            "nutze",
            "nimm",
            "benutzen",
            "verwenden",
            "nutzen",
            "utilise",
            "utilisez",
            "utiliser",
            "préfère",
            "usa",
            "usar",
            "utiliza",
            "use",
            "utilizar",
            "usad",
        ],
    ),
    (
        Mark::InsteadOf,
        &[
            "instead of",
            "rather than",
            "in place of",
            "over",
            "in favor of",
            "statt",
            "anstatt",
            "anstelle von",
            "au lieu de",
            "au lieu d'",
            "plutôt que",
            "en lugar de",
            "en vez de",
        ],
    ),
    (
        Mark::Instead,
        &["instead", "stattdessen", "à la place", "en su lugar"],
    ),
    (
        Mark::Only,
        &[
            "only",
            "exclusively",
            "nur",
            "ausschließlich",
            "seulement",
            "uniquement",
            "solo",
            "sólo",
            "solamente",
            "únicamente",
        ],
    ),
    (
        Mark::Run,
        &[
            "run",
            "execute",
            "do",
            "ensure",
            "make sure",
            "always",
            "must",
            "call",
            "invoke",
            "you",
            "first run",
            "please",
            "führe",
            "ausführen",
            "immer",
            "muss",
            "exécute",
            "exécuter",
            "exécutez",
            "lance",
            "lancer",
            "lancez",
            "toujours",
            "ejecuta",
            "ejecutar",
            "ejecute",
            "corre",
            "siempre",
            "starte",
            "take",
            "verify",
            "check",
        ],
    ),
    (
        Mark::Read,
        &[
            "read",
            "open",
            "print",
            "show",
            "display",
            "dump",
            "view",
            "look at",
            "look into",
            "cat",
            "log",
            "upload",
            "lesen",
            "öffnen",
            "anzeigen",
            "lire",
            "ouvrir",
            "affiche",
            "afficher",
            "leer",
            "lee",
            "abrir",
            "mostrar",
            "access",
            "reading",
            "copy",
        ],
    ),
    (
        Mark::Branch,
        &[
            "branch", "branches", "zweig", "zweige", "branche", "rama", "ramas",
        ],
    ),
    (
        Mark::Named,
        &[
            "name",
            "named",
            "names",
            "call",
            "called",
            "prefix",
            "prefixed",
            "start with",
            "begin with",
            "starts with",
        ],
    ),
];

/// Phrases of Chinese and Japanese, found anywhere; longer ones first.
const CJK: &[(&str, Mark)] = &[
    ("ではなく", Mark::InsteadPost),
    ("じゃなく", Mark::InsteadPost),
    ("の代わりに", Mark::InsteadPost),
    ("かわりに", Mark::InsteadPost),
    ("而不是", Mark::InsteadOf),
    ("而非", Mark::InsteadOf),
    ("する前に", Mark::BeforePost),
    ("の前に", Mark::BeforePost),
    ("前には", Mark::BeforePost),
    ("前に", Mark::BeforePost),
    ("之前", Mark::BeforePost),
    ("以前", Mark::BeforePost),
    ("せずに", Mark::WithoutPost),
    ("しないで", Mark::Not),
    ("なしで", Mark::WithoutPost),
    ("なしに", Mark::WithoutPost),
    ("ずに", Mark::WithoutPost),
    ("しない限り", Mark::WithoutPost),
    ("しないこと", Mark::Not),
    ("ないでください", Mark::Not),
    ("てはいけ", Mark::Not),
    ("てはならない", Mark::Not),
    ("絶対に", Mark::Not),
    ("決して", Mark::Not),
    ("禁止", Mark::Not),
    ("しない", Mark::Not),
    ("使わない", Mark::Not),
    ("触らない", Mark::Not),
    ("触れない", Mark::Not),
    ("変更しない", Mark::Not),
    ("不要", Mark::Not),
    ("切勿", Mark::Not),
    ("绝不", Mark::Not),
    ("不得", Mark::Not),
    ("不能", Mark::Not),
    ("不可", Mark::Not),
    ("请勿", Mark::Not),
    ("严禁", Mark::Not),
    ("永远不", Mark::Not),
    ("不准", Mark::Not),
    ("别", Mark::Not),
    ("没有", Mark::Without),
    ("未先", Mark::Without),
    ("未", Mark::Without),
    ("除非", Mark::Without),
    ("必须先", Mark::Run),
    ("先", Mark::Run),
    ("运行", Mark::Run),
    ("执行", Mark::Run),
    ("実行", Mark::Run),
    ("必ず", Mark::Run),
    ("再", Mark::Then),
    ("然后", Mark::Then),
    ("需要", Mark::Requires),
    ("が必要", Mark::Requires),
    ("必要", Mark::Requires),
    ("只能", Mark::Only),
    ("只", Mark::Only),
    ("仅", Mark::Only),
    ("のみ", Mark::Only),
    ("だけ", Mark::Only),
    ("使用", Mark::Use),
    ("使って", Mark::Use),
    ("使う", Mark::Use),
    ("用", Mark::Use),
    ("分支", Mark::Branch),
    ("ブランチ", Mark::Branch),
    ("读取", Mark::Read),
    ("読", Mark::Read),
    ("前", Mark::BeforePost),
];

/// Finds the longest phrase that starts `words`; returns it with its length.
pub(super) fn phrase(words: &[&str]) -> Option<(Mark, usize)> {
    let mut best: Option<(Mark, usize)> = None;
    for (mark, phrases) in PHRASES {
        for phrase in *phrases {
            let len = phrase.split(' ').count();
            let fits = words.len() >= len && phrase.split(' ').eq(words[..len].iter().copied());
            if fits && best.is_none_or(|(_, longest)| len > longest) {
                best = Some((*mark, len));
            }
        }
    }
    best
}

/// Operations named in other languages, with their English names.
const VERBS: &[(&str, &str)] = &[
    ("推送", "push"),
    ("プッシュ", "push"),
    ("提交", "commit"),
    ("コミット", "commit"),
    ("合并", "merge"),
    ("マージ", "merge"),
    ("部署", "deploy"),
    ("デプロイ", "deploy"),
    ("删除", "delete"),
    ("削除", "delete"),
    ("发布", "publish"),
    ("リリース", "release"),
    ("修改", "modify"),
    ("变更", "modify"),
    ("変更", "modify"),
    ("编辑", "edit"),
    ("編集", "edit"),
    ("触", "touch"),
    ("改动", "modify"),
    ("碰", "touch"),
    ("动", "touch"),
    ("pushen", "push"),
    ("pousser", "push"),
    ("committen", "commit"),
    ("commiter", "commit"),
    ("deployen", "deploy"),
    ("ausrollen", "deploy"),
    ("déployer", "deploy"),
    ("déploiement", "deploy"),
    ("desplegar", "deploy"),
    ("despliegue", "deploy"),
    ("deployment", "deploy"),
    ("veröffentlichen", "publish"),
    ("publier", "publish"),
    ("publicar", "publish"),
    ("löschen", "delete"),
    ("supprimer", "delete"),
    ("borrar", "delete"),
    ("eliminar", "delete"),
    ("anfassen", "touch"),
    ("berühren", "touch"),
    ("fass", "touch"),
    ("ändern", "modify"),
    ("bearbeiten", "edit"),
    ("anrühren", "touch"),
    ("toucher", "touch"),
    ("touche", "touch"),
    ("touchez", "touch"),
    ("modifier", "modify"),
    ("modifie", "modify"),
    ("modifiez", "modify"),
    ("éditer", "edit"),
    ("tocar", "touch"),
    ("toques", "touch"),
    ("toque", "touch"),
    ("modificar", "modify"),
    ("modifiques", "modify"),
    ("editar", "edit"),
    ("edites", "edit"),
    ("cambiar", "modify"),
    ("cambies", "modify"),
    ("verändern", "modify"),
    ("ändere", "modify"),
];

/// Returns the English name of an operation named in another language.
pub(super) fn verb(word: &str) -> Option<&'static str> {
    VERBS
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, verb)| *verb)
}

/// What is found in a run of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A word that carries a rule's meaning.
    Mark(Mark),
    /// An operation, by its English name.
    Verb(&'static str),
}

/// Finds the phrases of a run of Chinese or Japanese text, in order.
pub(super) fn cjk(text: &str) -> Vec<Found> {
    let mut marks = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let fits = |(phrase, _): &&(&str, Mark)| rest.starts_with(phrase);
        let found = CJK
            .iter()
            .filter(fits)
            .max_by_key(|(phrase, _)| phrase.len());
        if let Some((phrase, mark)) = found {
            marks.push(Found::Mark(*mark));
            rest = &rest[phrase.len()..];
        } else {
            if let Some((_, verb)) = VERBS.iter().find(|(word, _)| rest.starts_with(word)) {
                marks.push(Found::Verb(verb));
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
