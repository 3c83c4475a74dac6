//! Tokens of office, customer-relations, content and design services.

use super::Part::{Exactly, Run, Text};
use super::Set::{Alnum, Base64, Digit, Dotted, Hex, Url};
use super::{Shape, shape};

#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    shape("fullstory-api-key", "fullstory_key", "na1.", &[Run(Base64, 60)], "FullStory docs: API keys").digits(2),
    shape("fullstory-api-key-eu", "fullstory_key", "eu1.", &[Run(Base64, 60)], "FullStory docs: API keys").digits(2),
    shape("scrapfly-live-key", "scrapfly_key", "scp-live-", &[Run(Hex, 32)], "Scrapfly docs: API keys"),
    shape("scrapfly-test-key", "scrapfly_key", "scp-test-", &[Run(Hex, 32)], "Scrapfly docs: API keys"),
    shape("nightfall-api-key", "nightfall_key", "NF-", &[Exactly(Alnum, 32)], "Nightfall docs: API keys").random(),
    shape("ticket-tailor-key", "ticket_tailor_key", "sk_", &[Run(Digit, 3), Text("_"), Run(Digit, 4), Text("_"), Run(Hex, 32)], "Ticket Tailor docs: API keys"),
    shape("salesforce-access-token", "salesforce_token", "00D", &[Exactly(Alnum, 12), Text("!"), Run(Dotted, 60)], "Salesforce docs: OAuth, access tokens and session ids"),
    shape("salesforce-consumer-key", "salesforce_token", "3MVG9", &[Run(Dotted, 60)], "Salesforce docs: Connected apps, consumer keys"),
    shape("salesforce-refresh-token", "salesforce_token", "5Aep861", &[Run(Dotted, 60)], "Salesforce docs: OAuth, refresh tokens"),
    shape("airtable-personal-token", "airtable_token", "pat", &[Exactly(Alnum, 14), Text("."), Run(Hex, 64)], "Airtable docs: Personal access tokens"),
    shape("contentful-personal-token", "contentful_token", "CFPAT-", &[Run(Url, 40)], "Contentful docs: Personal access tokens"),
    shape("dropbox-short-lived-token", "dropbox_token", "sl.", &[Run(Dotted, 100)], "Dropbox docs: OAuth, short-lived access tokens"),
    shape("typeform-personal-token", "typeform_token", "tfp_", &[Run(Dotted, 40)], "Typeform docs: Personal access tokens"),
    shape("builder-private-key", "builder_key", "bpk-", &[Run(Hex, 32)], "Builder.io docs: Private API keys"),
    shape("cal-com-api-key", "calcom_key", "cal_live_", &[Run(Alnum, 30)], "Cal.com docs: API keys"),
    shape("cal-com-test-key", "calcom_key", "cal_", &[Exactly(Hex, 32)], "Cal.com docs: API keys"),
    shape("close-api-key", "close_key", "api_", &[Run(Alnum, 20), Text("."), Run(Alnum, 20)], "Close docs: API keys").random(),
    shape("canva-client-secret", "canva_secret", "cnvca", &[Run(Url, 40)], "Canva docs: Connect API, client secrets").digits(1),
    shape("figma-personal-token", "figma_token", "figd_", &[Run(Url, 36)], "Figma docs: Personal access tokens"),
    shape("figma-oauth-token", "figma_token", "figu_", &[Run(Url, 36)], "Figma docs: OAuth tokens"),
    shape("figma-oauth-refresh-token", "figma_token", "figur_", &[Run(Url, 36)], "Figma docs: OAuth tokens"),
    shape("adobe-client-secret", "adobe_client_secret", "p8e-", &[Run(Url, 28)], "Adobe docs: OAuth server-to-server, client secrets"),
    shape("frameio-developer-token", "frameio_token", "fio-u-", &[Run(Base64, 60)], "Frame.io docs: Developer tokens"),
    shape("zoho-oauth-token", "zoho_token", "1000.", &[Exactly(Hex, 32), Text("."), Exactly(Hex, 32)], "Zoho docs: OAuth tokens"),
    shape("quickbooks-refresh-token", "quickbooks_token", "AB11", &[Run(Alnum, 40)], "QuickBooks docs: OAuth refresh tokens").digits(4),
    shape("samsara-api-token", "samsara_token", "samsara_api_", &[Run(Alnum, 28)], "Samsara docs: API tokens"),
    shape("flexport-api-token", "flexport_token", "shltm_", &[Run(Url, 36)], "Flexport docs: API tokens"),
    shape("workato-developer-token", "workato_token", "wrkaus-", &[Run(Dotted, 60)], "Workato docs: Developer API clients"),
    shape("workato-developer-token-eu", "workato_token", "wrkeu-", &[Run(Dotted, 60)], "Workato docs: Developer API clients"),
    shape("retool-access-token", "retool_token", "retool_", &[Run(Alnum, 24)], "Retool docs: API access tokens").digits(2),
    shape("teamwork-api-key", "teamwork_key", "tkn.v1_", &[Run(Base64, 40)], "Teamwork docs: API keys"),
    shape("harvest-personal-token", "harvest_token", ".pt.", &[Run(Url, 50)], "Harvest docs: Personal access tokens").after(Digit, 5),
    shape("thunderstore-api-token", "thunderstore_token", "tss_", &[Run(Alnum, 30)], "Thunderstore docs: API tokens").digits(1),
];
