//! Tokens of planners, note-takers, learning and game services, and of desks of developers.

use super::Part::{Exactly, Run, Text};
use super::Set::{Alnum, Dash, Digit, Hex};
use super::{Shape, shape};

#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    shape("notion-integration-token", "notion_token", "ntn_", &[Run(Alnum, 40)], "Notion docs: Internal integrations"),
    shape("notion-integration-token-older", "notion_token", "secret_", &[Exactly(Alnum, 43)], "Notion docs: Internal integrations, former tokens").digits(2),
    shape("linear-api-key", "linear_api_key", "lin_api_", &[Run(Alnum, 32)], "Linear docs: API keys"),
    shape("linear-oauth-token", "linear_api_key", "lin_oauth_", &[Run(Hex, 32)], "Linear docs: OAuth tokens"),
    shape("linear-webhook-secret", "linear_api_key", "lin_wh_", &[Run(Alnum, 32)], "Linear docs: Webhooks, signing secrets"),
    shape("clickup-personal-token", "clickup_token", "pk_", &[Run(Digit, 6), Text("_"), Run(Alnum, 30)], "ClickUp docs: Personal API tokens"),
    shape("trello-api-token", "trello_token", "ATTA", &[Run(Alnum, 60)], "Trello docs: API tokens").digits(3),
    shape("asana-personal-token-v2", "asana_token", "2/12", &[Run(Digit, 8), Text("/"), Run(Digit, 10), Text(":"), Run(Hex, 32)], "Asana docs: Personal access tokens"),
    shape("asana-personal-token", "asana_token", "1/12", &[Run(Digit, 8), Text(":"), Run(Hex, 32)], "Asana docs: Personal access tokens"),
    shape("klaviyo-private-key", "klaviyo_key", "pk_", &[Exactly(Hex, 34)], "Klaviyo docs: Private API keys"),
    shape("gitbook-api-token", "gitbook_token", "gb_api_", &[Run(Alnum, 30)], "GitBook docs: API tokens"),
    shape("outline-api-key", "outline_key", "ol_api_", &[Run(Alnum, 36)], "Outline docs: API keys"),
    shape("plane-api-key", "plane_key", "plane_api_", &[Run(Hex, 32)], "Plane docs: API keys"),
    shape("wakatime-api-key", "wakatime_key", "waka_", &[Exactly(Hex, 8), Text("-"), Exactly(Hex, 4), Text("-"), Exactly(Hex, 4), Text("-"), Exactly(Hex, 4), Text("-"), Exactly(Hex, 12)], "WakaTime docs: API keys"),
    shape("wakatime-app-secret", "wakatime_key", "waka_sec_", &[Run(Alnum, 40)], "WakaTime docs: OAuth"),
    shape("wakatime-access-token", "wakatime_key", "waka_tok_", &[Run(Alnum, 40)], "WakaTime docs: OAuth"),
    shape("wakatime-refresh-token", "wakatime_key", "waka_ref_", &[Run(Alnum, 40)], "WakaTime docs: OAuth"),
    shape("lichess-personal-token", "lichess_token", "lip_", &[Exactly(Alnum, 20)], "Lichess docs: Personal access tokens").random(),
    shape("lichess-oauth-token", "lichess_token", "lio_", &[Run(Alnum, 28)], "Lichess docs: OAuth tokens").digits(1),
    shape("riot-api-key", "riot_key", "RGAPI-", &[Run(Dash, 36)], "Riot Games docs: API keys").digits(2),
    shape("modrinth-personal-token", "modrinth_token", "mrp_", &[Run(Alnum, 40)], "Modrinth docs: Personal access tokens"),
    shape("cfxre-server-key", "cfxre_key", "cfxk_", &[Run(Alnum, 18), Text("_"), Run(Alnum, 5)], "Cfx.re docs: Server keys"),
    shape("intra42-secret", "intra42_token", "s-s4t2", &[Run(Alnum, 2), Text("-"), Run(Hex, 60)], "42 docs: API applications"),
    shape("settlemint-personal-token", "settlemint_token", "sm_pat_", &[Run(Alnum, 16)], "SettleMint docs: Access tokens, personal"),
    shape("settlemint-application-token", "settlemint_token", "sm_aat_", &[Run(Alnum, 16)], "SettleMint docs: Access tokens, application"),
    shape("settlemint-service-token", "settlemint_token", "sm_sat_", &[Run(Alnum, 16)], "SettleMint docs: Access tokens, service"),
];
