//! The documented forms of vendors' tokens: one line each, with the document that gives it.

use crate::class::Class;

use Part::{Exactly, Run, Text};
use Set::{Alnum, Base64, Dash, Digit, Dotted, Hex, Lower, Upper, Url, Word};

/// Describes one form of token.
pub(crate) struct Shape {
    pub(crate) class: Class,
    /// The literal that gates the rule.
    pub(crate) prefix: &'static str,
    /// What follows the prefix, matched greedily from left to right.
    pub(crate) parts: &'static [Part],
    /// What precedes the prefix and belongs to the token: the bytes and their least number.
    pub(crate) lead: Option<(Set, usize)>,
    /// Whether the body needs a digit or a capital, since words could form it.
    pub(crate) mixed: bool,
    /// Whether the prefix must stand where a token can start.
    pub(crate) bounded: bool,
}

/// One part of a token's body.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// This literal.
    Text(&'static str),
    /// As many bytes of the set as there are, at least this many: vendors lengthen tokens.
    Run(Set, usize),
    /// This many bytes of the set, and at the end of a token no further letter or digit.
    Exactly(Set, usize),
}

/// The alphabets of tokens.
#[derive(Clone, Copy)]
pub(crate) enum Set {
    Digit,
    Hex,
    /// Lower-case letters and digits.
    Lower,
    /// Upper-case letters and digits.
    Upper,
    Alnum,
    /// Letters, digits and the underscore.
    Word,
    /// Letters, digits and the hyphen.
    Dash,
    /// URL-safe base64 (RFC 4648, section 5).
    Url,
    /// URL-safe base64 and the full stop.
    Dotted,
    /// Either base64 with padding.
    Base64,
}

const fn shape(class: &'static str, prefix: &'static str, parts: &'static [Part]) -> Shape {
    Shape {
        class: Class::vendor(class),
        prefix,
        parts,
        lead: None,
        mixed: false,
        bounded: true,
    }
}

const fn mixed(class: &'static str, prefix: &'static str, parts: &'static [Part]) -> Shape {
    Shape {
        mixed: true,
        ..shape(class, prefix, parts)
    }
}

const fn inner(
    class: &'static str,
    lead: (Set, usize),
    prefix: &'static str,
    parts: &'static [Part],
) -> Shape {
    Shape {
        lead: Some(lead),
        bounded: false,
        ..shape(class, prefix, parts)
    }
}

/// Lifts the demand for a boundary where the prefix is long and strange enough to tell a token
/// that is glued to a word.
const fn glued(shape: Shape) -> Shape {
    Shape {
        bounded: false,
        ..shape
    }
}

/// The catalogue. Each group names the vendor's document that publishes the form; lengths are
/// lower bounds unless the form needs an exact one to be told from ordinary text.
#[rustfmt::skip]
pub(crate) const SHAPES: &[Shape] = &[
    // AWS IAM: unique identifiers.
    shape("aws_access_key", "AKIA", &[Exactly(Upper, 16)]),
    shape("aws_access_key", "ASIA", &[Exactly(Upper, 16)]),
    shape("aws_access_key", "ABIA", &[Exactly(Upper, 16)]),
    shape("aws_access_key", "ACCA", &[Exactly(Upper, 16)]),
    // Amazon Bedrock: API keys.
    shape("aws_bedrock_key", "ABSK", &[Run(Base64, 60)]),
    // Anthropic API: authentication.
    mixed("anthropic_api_key", "sk-ant-", &[Run(Url, 20)]),
    // OpenRouter: authentication.
    mixed("openrouter_api_key", "sk-or-", &[Run(Url, 20)]),
    // OpenAI API: authentication.
    mixed("openai_api_key", "sk-", &[Run(Url, 20)]),
    // GitHub: token formats.
    glued(shape("github_token", "ghp_", &[Run(Alnum, 30)])),
    glued(shape("github_token", "gho_", &[Run(Alnum, 30)])),
    glued(shape("github_token", "ghu_", &[Run(Alnum, 30)])),
    glued(shape("github_token", "ghs_", &[Run(Alnum, 30)])),
    glued(shape("github_token", "ghr_", &[Run(Alnum, 30)])),
    glued(shape("github_token", "github_pat_", &[Run(Word, 30)])),
    // GitLab: token overview, prefixes.
    glued(shape("gitlab_token", "glpat-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "gldt-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "glrt-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "glrtr-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "glcbt-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "glptt-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "glft-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "glimt-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "glagent-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "gloas-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "glsoat-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "glffct-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "glwt-", &[Run(Dotted, 20)])),
    glued(shape("gitlab_token", "GR1348941", &[Run(Url, 20)])),
    // Bitbucket: app passwords.
    shape("bitbucket_token", "ATBB", &[Run(Alnum, 28)]),
    // Atlassian: API tokens.
    shape("atlassian_api_token", "ATATT3", &[Run(Base64, 40)]),
    shape("atlassian_api_token", "ATCTT3", &[Run(Base64, 40)]),
    // Stripe: API keys.
    shape("stripe_live_key", "sk_live_", &[Run(Alnum, 20)]),
    shape("stripe_live_key", "rk_live_", &[Run(Alnum, 20)]),
    shape("stripe_live_key", "pk_live_", &[Run(Alnum, 20)]),
    shape("stripe_test_key", "sk_test_", &[Run(Alnum, 20)]),
    shape("stripe_test_key", "rk_test_", &[Run(Alnum, 20)]),
    shape("stripe_test_key", "pk_test_", &[Run(Alnum, 20)]),
    shape("stripe_webhook_secret", "whsec_", &[Run(Base64, 20)]),
    // Google Cloud: API keys.
    shape("google_api_key", "AIza", &[Run(Url, 33)]),
    // Google Cloud: OAuth clients.
    shape("google_oauth_secret", "GOCSPX-", &[Run(Url, 24)]),
    // Google Identity: access tokens.
    shape("google_oauth_token", "ya29.", &[Run(Dotted, 20)]),
    // Google Identity: refresh tokens.
    shape("google_refresh_token", "1//0", &[Run(Url, 30)]),
    // Microsoft Entra: client secrets.
    inner("azure_client_secret", (Alnum, 4), "Q~", &[Run(Dotted, 28)]),
    // Azure DevOps: personal access tokens.
    Shape { bounded: false, ..shape("azure_devops_token", "JQQJ99", &[Run(Alnum, 60)]) },
    // Slack: token types.
    glued(mixed("slack_token", "xoxb-", &[Run(Dash, 10)])),
    glued(mixed("slack_token", "xoxa-", &[Run(Dash, 10)])),
    glued(mixed("slack_token", "xoxp-", &[Run(Dash, 10)])),
    glued(mixed("slack_token", "xoxr-", &[Run(Dash, 10)])),
    glued(mixed("slack_token", "xoxs-", &[Run(Dash, 10)])),
    glued(mixed("slack_token", "xoxc-", &[Run(Dash, 10)])),
    glued(mixed("slack_token", "xoxd-", &[Run(Base64, 10)])),
    glued(mixed("slack_token", "xoxe-", &[Run(Dash, 10)])),
    glued(mixed("slack_token", "xoxo-", &[Run(Dash, 10)])),
    glued(mixed("slack_token", "xoxe.xoxp-", &[Run(Dash, 10)])),
    glued(mixed("slack_token", "xoxe.xoxb-", &[Run(Dash, 10)])),
    glued(mixed("slack_token", "xapp-", &[Run(Dash, 20)])),
    glued(mixed("slack_token", "xwfp-", &[Run(Dash, 20)])),
    // RFC 7519; RFC 7515, compact serialisation.
    shape("jwt", "eyJ", &[Run(Url, 10), Text("."), Run(Url, 10), Text("."), Run(Url, 10)]),
    // RFC 7516, compact serialisation, direct encryption.
    shape("jwt", "eyJ", &[Run(Url, 10), Text(".."), Run(Url, 10), Text("."), Run(Url, 10), Text("."), Run(Url, 10)]),
    // Cloudflare: origin CA keys.
    shape("cloudflare_origin_ca", "v1.0-", &[Exactly(Hex, 24), Text("-"), Run(Hex, 100)]),
    // Netlify: personal access tokens.
    shape("netlify_token", "nfp_", &[Run(Alnum, 36)]),
    // Vercel: token formats.
    shape("vercel_token", "vcp_", &[Run(Alnum, 24)]),
    shape("vercel_token", "vci_", &[Run(Alnum, 24)]),
    shape("vercel_token", "vca_", &[Run(Alnum, 24)]),
    shape("vercel_token", "vcr_", &[Run(Alnum, 24)]),
    shape("vercel_token", "vck_", &[Run(Alnum, 24)]),
    // Render: API keys.
    shape("render_api_key", "rnd_", &[Run(Alnum, 28)]),
    // Supabase: access tokens.
    shape("supabase_token", "sbp_", &[Run(Hex, 40)]),
    shape("supabase_token", "sbp_v0_", &[Run(Hex, 40)]),
    // Supabase: API keys.
    shape("supabase_secret_key", "sb_secret_", &[Run(Url, 20)]),
    // Neon: API keys.
    shape("neon_api_key", "napi_", &[Run(Lower, 40)]),
    // PlanetScale: service tokens.
    shape("planetscale_token", "pscale_tkn_", &[Run(Dotted, 32)]),
    // PlanetScale: passwords.
    shape("planetscale_token", "pscale_pw_", &[Run(Dotted, 32)]),
    // PlanetScale: OAuth.
    shape("planetscale_token", "pscale_oauth_", &[Run(Dotted, 32)]),
    // Fly.io: access tokens.
    shape("flyio_token", "fo1_", &[Run(Url, 40)]),
    // Fly.io: macaroon tokens.
    shape("flyio_token", "fm1_", &[Run(Base64, 60)]),
    shape("flyio_token", "fm1r_", &[Run(Base64, 60)]),
    shape("flyio_token", "fm2_", &[Run(Base64, 60)]),
    // DigitalOcean: API tokens.
    shape("digitalocean_token", "dop_v1_", &[Run(Hex, 60)]),
    shape("digitalocean_token", "doo_v1_", &[Run(Hex, 60)]),
    shape("digitalocean_token", "dor_v1_", &[Run(Hex, 60)]),
    // Heroku: platform API keys.
    shape("heroku_api_key", "HRKU-", &[Run(Url, 36)]),
    // Linode: personal access tokens.
    shape("linode_token", "lnd_", &[Run(Hex, 40)]),
    // Scaleway: API keys.
    shape("scaleway_key", "SCW", &[Exactly(Upper, 17)]),
    // Alibaba Cloud: AccessKey pairs.
    shape("alibaba_access_key", "LTAI", &[Run(Alnum, 16)]),
    // Tencent Cloud: SecretId.
    shape("tencent_secret_id", "AKID", &[Run(Alnum, 32)]),
    // Yandex: OAuth tokens.
    shape("yandex_token", "y0_", &[Run(Url, 50)]),
    // Yandex Cloud: IAM tokens.
    shape("yandex_token", "t1.", &[Run(Dotted, 60)]),
    // Yandex Cloud: API keys.
    shape("yandex_token", "AQVN", &[Run(Url, 34)]),
    // Hugging Face: user access tokens.
    shape("huggingface_token", "hf_", &[Run(Alnum, 30)]),
    // Hugging Face: organisation tokens.
    shape("huggingface_token", "api_org_", &[Run(Alnum, 30)]),
    // Replicate: API tokens.
    shape("replicate_token", "r8_", &[Run(Alnum, 30)]),
    // Perplexity: API keys.
    shape("perplexity_api_key", "pplx-", &[Run(Alnum, 32)]),
    // xAI: API keys.
    shape("xai_api_key", "xai-", &[Run(Alnum, 60)]),
    // Groq: API keys.
    shape("groq_api_key", "gsk_", &[Run(Alnum, 40)]),
    // Fireworks AI: API keys.
    mixed("fireworks_api_key", "fw_", &[Run(Alnum, 22)]),
    // Together AI: API keys.
    shape("together_api_key", "tgp_v1_", &[Run(Url, 40)]),
    // Cerebras: API keys.
    shape("cerebras_api_key", "csk-", &[Run(Alnum, 40)]),
    // LangSmith: API keys.
    shape("langsmith_api_key", "lsv2_pt_", &[Exactly(Hex, 32), Text("_"), Run(Hex, 10)]),
    shape("langsmith_api_key", "lsv2_sk_", &[Exactly(Hex, 32), Text("_"), Run(Hex, 10)]),
    // Langfuse: API keys.
    shape("langfuse_secret_key", "sk-lf-", &[Run(Dash, 36)]),
    // ElevenLabs: API keys.
    shape("elevenlabs_api_key", "sk_", &[Run(Hex, 40)]),
    // NVIDIA NGC: personal keys.
    shape("nvidia_api_key", "nvapi-", &[Run(Url, 50)]),
    // Pinecone: API keys.
    shape("pinecone_api_key", "pcsk_", &[Run(Word, 40)]),
    // Tavily: API keys.
    shape("tavily_api_key", "tvly-", &[Run(Url, 24)]),
    // Firecrawl: API keys.
    shape("firecrawl_api_key", "fc-", &[Run(Hex, 32)]),
    // E2B: API keys.
    shape("e2b_api_key", "e2b_", &[Run(Hex, 40)]),
    // Voyage AI: API keys.
    mixed("voyage_api_key", "pa-", &[Run(Url, 40)]),
    // Jina AI: API keys.
    shape("jina_api_key", "jina_", &[Run(Url, 40)]),
    // npm: access tokens.
    glued(shape("npm_token", "npm_", &[Run(Alnum, 36)])),
    // PyPI: API tokens.
    shape("pypi_token", "pypi-AgE", &[Run(Url, 40)]),
    shape("pypi_token", "pypi-", &[Run(Url, 80)]),
    // RubyGems: API keys.
    shape("rubygems_api_key", "rubygems_", &[Run(Hex, 48)]),
    // NuGet: API keys.
    shape("nuget_api_key", "oy2", &[Exactly(Lower, 43)]),
    // the Rust registry's API tokens.
    shape("cratesio_token", "cio", &[Exactly(Alnum, 32)]),
    // Docker: access tokens.
    shape("dockerhub_token", "dckr_pat_", &[Run(Url, 24)]),
    // Docker: organisation tokens.
    shape("dockerhub_token", "dckr_oat_", &[Run(Url, 24)]),
    // Clojars: deploy tokens.
    shape("clojars_token", "CLOJARS_", &[Run(Hex, 60)]),
    // SonarQube: tokens.
    shape("sonar_token", "sqp_", &[Run(Hex, 40)]),
    shape("sonar_token", "squ_", &[Run(Hex, 40)]),
    shape("sonar_token", "sqa_", &[Run(Hex, 40)]),
    // Snyk: access tokens.
    mixed("snyk_token", "snyk_", &[Run(Dotted, 30)]),
    // CircleCI: API tokens.
    shape("circleci_token", "CCIPAT_", &[Run(Word, 40)]),
    // CircleCI: project tokens.
    shape("circleci_token", "CCIPRJ_", &[Run(Word, 40)]),
    // Buildkite: API tokens.
    shape("buildkite_token", "bkua_", &[Run(Hex, 40)]),
    // Buildkite: cluster tokens.
    shape("buildkite_token", "bkct_", &[Run(Alnum, 20)]),
    // JFrog: API keys.
    shape("artifactory_token", "AKCp", &[Run(Alnum, 60)]),
    // JFrog: reference tokens.
    shape("artifactory_token", "cmVmdGtu", &[Run(Alnum, 56)]),
    // Telegram Bot API: authorising your bot.
    inner("telegram_bot_token", (Digit, 8), ":A", &[Exactly(Url, 34)]),
    // Discord: bot tokens.
    inner("discord_bot_token", (Url, 23), ".", &[Exactly(Url, 6), Text("."), Run(Url, 27)]),
    // Twilio: API keys.
    shape("twilio_api_key", "SK", &[Exactly(Hex, 32)]),
    // SendGrid: API keys.
    shape("sendgrid_api_key", "SG.", &[Run(Url, 16), Text("."), Run(Url, 32)]),
    // Mailgun: API keys.
    shape("mailgun_api_key", "key-", &[Exactly(Hex, 32)]),
    // Mailchimp: API keys.
    inner("mailchimp_api_key", (Hex, 32), "-us", &[Run(Digit, 1)]),
    // Brevo: API keys.
    shape("brevo_api_key", "xkeysib-", &[Run(Hex, 64), Text("-"), Run(Alnum, 16)]),
    // Brevo: SMTP keys.
    shape("brevo_api_key", "xsmtpsib-", &[Run(Hex, 64), Text("-"), Run(Alnum, 16)]),
    // Resend: API keys.
    shape("resend_api_key", "re_", &[Run(Alnum, 8), Text("_"), Run(Alnum, 20)]),
    // Postman: API keys.
    shape("postmark_token", "PMAK-", &[Run(Hex, 24), Text("-"), Run(Hex, 34)]),
    // Square: access tokens.
    shape("square_token", "EAAA", &[Run(Url, 56)]),
    shape("square_token", "sq0atp-", &[Run(Url, 22)]),
    // Square: application secrets.
    shape("square_token", "sq0csp-", &[Run(Url, 40)]),
    // Meta: access tokens.
    shape("facebook_token", "EAA", &[Run(Alnum, 80)]),
    // Plaid: access tokens.
    shape("plaid_token", "access-production-", &[Run(Dash, 36)]),
    shape("plaid_token", "access-sandbox-", &[Run(Dash, 36)]),
    shape("plaid_token", "access-development-", &[Run(Dash, 36)]),
    // Braintree: access tokens.
    shape("paypal_token", "access_token$production$", &[Run(Alnum, 16), Text("$"), Run(Hex, 32)]),
    shape("paypal_token", "access_token$sandbox$", &[Run(Alnum, 16), Text("$"), Run(Hex, 32)]),
    // Flutterwave: API keys.
    shape("flutterwave_key", "FLWSECK-", &[Run(Dash, 16)]),
    shape("flutterwave_key", "FLWSECK_TEST-", &[Run(Dash, 16)]),
    shape("flutterwave_key", "FLWPUBK_TEST-", &[Run(Dash, 16)]),
    shape("flutterwave_key", "FLWPUBK-", &[Run(Dash, 16)]),
    // Razorpay: API keys.
    shape("razorpay_key", "rzp_live_", &[Run(Alnum, 14)]),
    shape("razorpay_key", "rzp_test_", &[Run(Alnum, 14)]),
    // Shopify: access tokens.
    shape("shopify_token", "shpat_", &[Run(Hex, 32)]),
    shape("shopify_token", "shpca_", &[Run(Hex, 32)]),
    shape("shopify_token", "shppa_", &[Run(Hex, 32)]),
    shape("shopify_token", "shpss_", &[Run(Hex, 32)]),
    shape("shopify_token", "shpua_", &[Run(Hex, 32)]),
    // Shippo: API tokens.
    shape("shippo_token", "shippo_live_", &[Run(Hex, 40)]),
    shape("shippo_token", "shippo_test_", &[Run(Hex, 40)]),
    // EasyPost: API keys.
    shape("easypost_api_key", "EZAK", &[Run(Alnum, 54)]),
    shape("easypost_api_key", "EZTK", &[Run(Alnum, 54)]),
    // Lob: API keys.
    shape("lob_api_key", "live_", &[Run(Hex, 35)]),
    shape("lob_api_key", "test_", &[Run(Hex, 35)]),
    // Duffel: access tokens.
    shape("duffel_token", "duffel_live_", &[Run(Url, 40)]),
    shape("duffel_token", "duffel_test_", &[Run(Url, 40)]),
    // Grafana: service account tokens.
    shape("grafana_token", "glsa_", &[Run(Alnum, 32), Text("_"), Run(Hex, 8)]),
    // Grafana Cloud: access policy tokens.
    shape("grafana_token", "glc_", &[Run(Base64, 32)]),
    // Grafana: legacy API keys.
    shape("grafana_token", "eyJrIjoi", &[Run(Base64, 60)]),
    // Sentry: organisation tokens.
    shape("sentry_token", "sntrys_", &[Run(Base64, 60)]),
    // Sentry: user tokens.
    shape("sentry_token", "sntryu_", &[Run(Hex, 60)]),
    // Sentry: app tokens.
    shape("sentry_token", "sntrya_", &[Run(Hex, 60)]),
    // Honeycomb: key formats.
    shape("honeycomb_api_key", "hcaik_", &[Run(Alnum, 50)]),
    shape("honeycomb_api_key", "hcalk_", &[Run(Alnum, 50)]),
    shape("honeycomb_api_key", "hcamk_", &[Run(Alnum, 50)]),
    shape("honeycomb_api_key", "hcxik_", &[Run(Alnum, 50)]),
    shape("honeycomb_api_key", "hcxlk_", &[Run(Alnum, 50)]),
    shape("honeycomb_api_key", "hcxmk_", &[Run(Alnum, 50)]),
    // Dynatrace: token format.
    shape("dynatrace_token", "dt0c01.", &[Run(Alnum, 24), Text("."), Run(Alnum, 60)]),
    shape("dynatrace_token", "dt0s01.", &[Run(Alnum, 8), Text("."), Run(Alnum, 60)]),
    // New Relic: API keys.
    shape("newrelic_key", "NRAK-", &[Run(Url, 19)]),
    shape("newrelic_key", "NRIQ-", &[Run(Url, 19)]),
    shape("newrelic_key", "NRJS-", &[Run(Url, 19)]),
    shape("newrelic_key", "NRAA-", &[Run(Url, 19)]),
    // New Relic: ingest keys.
    shape("newrelic_key", "NRII-", &[Run(Url, 32)]),
    // New Relic: licence keys.
    inner("newrelic_key", (Hex, 32), "FFFFNRAL", &[]),
    inner("newrelic_key", (Hex, 36), "NRAL", &[]),
    // Airtable: personal access tokens.
    shape("airtable_token", "pat", &[Exactly(Alnum, 14), Text("."), Run(Hex, 64)]),
    // Notion: integration tokens.
    shape("notion_token", "ntn_", &[Run(Alnum, 40)]),
    mixed("notion_token", "secret_", &[Exactly(Alnum, 43)]),
    // Linear: API keys.
    shape("linear_api_key", "lin_api_", &[Run(Alnum, 32)]),
    // Linear: OAuth tokens.
    shape("linear_api_key", "lin_oauth_", &[Run(Alnum, 32)]),
    // Figma: access tokens.
    shape("figma_token", "figd_", &[Run(Url, 36)]),
    // Figma: OAuth tokens.
    shape("figma_token", "figu_", &[Run(Url, 36)]),
    // ClickUp: API tokens.
    shape("clickup_token", "pk_", &[Run(Digit, 6), Text("_"), Run(Alnum, 30)]),
    // Contentful: personal access tokens.
    shape("contentful_token", "CFPAT-", &[Run(Url, 40)]),
    // Dropbox: short-lived tokens.
    shape("dropbox_token", "sl.", &[Run(Url, 100)]),
    // HubSpot: private app tokens.
    shape("hubspot_token", "pat-na1-", &[Run(Dash, 36)]),
    shape("hubspot_token", "pat-eu1-", &[Run(Dash, 36)]),
    // Typeform: personal tokens.
    shape("typeform_token", "tfp_", &[Run(Dotted, 40)]),
    // HashiCorp Vault: tokens.
    shape("vault_token", "hvs.", &[Run(Url, 24)]),
    shape("vault_token", "hvb.", &[Run(Url, 24)]),
    shape("vault_token", "hvr.", &[Run(Url, 24)]),
    // HashiCorp Vault: tokens before 1.10.
    mixed("vault_token", "s.", &[Exactly(Alnum, 24)]),
    // HCP Terraform: API tokens.
    inner("terraform_token", (Alnum, 14), ".atlasv1.", &[Run(Url, 40)]),
    // Tailscale: keys.
    mixed("tailscale_key", "tskey-auth-", &[Run(Dash, 24)]),
    mixed("tailscale_key", "tskey-api-", &[Run(Dash, 24)]),
    mixed("tailscale_key", "tskey-client-", &[Run(Dash, 24)]),
    mixed("tailscale_key", "tskey-webhook-", &[Run(Dash, 24)]),
    mixed("tailscale_key", "tskey-scim-", &[Run(Dash, 24)]),
    // Databricks: personal access tokens.
    shape("databricks_token", "dapi", &[Run(Hex, 32)]),
    // Databricks: service principal secrets.
    shape("databricks_token", "dose", &[Run(Hex, 32)]),
    // Mapbox: secret tokens.
    shape("mapbox_token", "sk.eyJ", &[Run(Url, 40), Text("."), Run(Url, 20)]),
    // Mapbox: temporary tokens.
    shape("mapbox_token", "tk.eyJ", &[Run(Url, 40), Text("."), Run(Url, 20)]),
    // the age format, C2SP.
    shape("age_secret_key", "AGE-SECRET-KEY-1", &[Run(Upper, 50)]),
    shape("age_secret_key", "AGE-PLUGIN-", &[Run(Upper, 3), Text("-1"), Run(Upper, 40)]),
    // Salesforce: session ids.
    shape("salesforce_token", "00D", &[Exactly(Alnum, 12), Text("!"), Run(Dotted, 60)]),
    // OpenShift: OAuth access tokens.
    shape("openshift_token", "sha256~", &[Run(Url, 40)]),
    // Sourcegraph: access tokens.
    shape("sourcegraph_token", "sgp_", &[Run(Word, 40)]),
    // Doppler: token formats.
    shape("doppler_token", "dp.", &[Run(Lower, 2), Text("."), Run(Dotted, 40)]),
    // Infisical: service tokens.
    shape("infisical_token", "st.", &[Run(Hex, 24), Text("."), Run(Hex, 32)]),
    // 1Password: secret keys.
    shape("onepassword_key", "A3-", &[Run(Upper, 6), Text("-"), Run(Upper, 5), Text("-"), Run(Upper, 5)]),
    // 1Password: service accounts.
    shape("onepassword_token", "ops_eyJ", &[Run(Base64, 100)]),
    // Pulumi: access tokens.
    shape("pulumi_token", "pul-", &[Run(Hex, 40)]),
    // Prefect: API keys.
    shape("prefect_api_key", "pnu_", &[Run(Alnum, 36)]),
    // ReadMe: API keys.
    shape("readme_api_key", "rdme_", &[Run(Lower, 64)]),
    // Frame.io: developer tokens.
    shape("frameio_token", "fio-u-", &[Run(Base64, 60)]),
    // LaunchDarkly: SDK keys.
    mixed("launchdarkly_key", "sdk-", &[Run(Dash, 36)]),
    // PostHog: personal API keys.
    shape("posthog_key", "phx_", &[Run(Alnum, 40)]),
    // PostHog: project keys.
    shape("posthog_key", "phc_", &[Run(Alnum, 40)]),
    // BIP-32, serialisation format.
    shape("bip32_private_key", "xprv", &[Run(Alnum, 100)]),
    shape("bip32_private_key", "tprv", &[Run(Alnum, 100)]),
    // 42 school: API.
    shape("intra42_token", "s-s4t2", &[Run(Word, 64)]),
    // Adobe: client secrets.
    shape("adobe_client_secret", "p8e-", &[Run(Url, 28)]),
    // SettleMint: tokens.
    shape("settlemint_token", "sm_pat_", &[Run(Alnum, 16)]),
];
