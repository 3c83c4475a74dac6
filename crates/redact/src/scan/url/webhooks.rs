//! The secret paths of webhooks and private feeds: who knows the address may write or read.

use std::ops::Range;

use crate::class::WEBHOOK;
use crate::gate::{Entry, Families};
use crate::rule::Rule;
use crate::scan::bytes::run_end;
use crate::span::{Span, Stage};
use crate::value::looks_random;

/// Longest address that is read, in bytes.
const MAX_ADDRESS: usize = 512;

/// A service whose addresses are secret.
struct Webhook {
    id: &'static str,
    /// The end of the host's name.
    host: &'static str,
    /// What precedes the secret part of the path.
    lead: &'static str,
    /// How many segments after that are no secret.
    skipped: usize,
    source: &'static str,
}

const fn hook(
    id: &'static str,
    host: &'static str,
    lead: &'static str,
    skipped: usize,
    source: &'static str,
) -> Webhook {
    Webhook {
        id,
        host,
        lead,
        skipped,
        source,
    }
}

const WEBHOOKS: &[Webhook] = &[
    hook(
        "webhook-slack",
        "hooks.slack.com",
        "/services/",
        2,
        "Slack, Incoming webhooks",
    ),
    hook(
        "webhook-slack-workflow",
        "hooks.slack.com",
        "/workflows/",
        3,
        "Slack, Workflow webhooks",
    ),
    hook(
        "webhook-slack-trigger",
        "hooks.slack.com",
        "/triggers/",
        2,
        "Slack, Workflow triggers",
    ),
    hook(
        "webhook-slack-gov",
        "hooks.slack-gov.com",
        "/services/",
        2,
        "Slack, GovSlack",
    ),
    hook(
        "webhook-discord",
        "discord.com",
        "/webhooks/",
        1,
        "Discord, Webhook resource",
    ),
    hook(
        "webhook-discordapp",
        "discordapp.com",
        "/webhooks/",
        1,
        "Discord, Webhook resource",
    ),
    hook(
        "webhook-teams",
        "webhook.office.com",
        "/IncomingWebhook/",
        0,
        "Microsoft Teams, Webhooks",
    ),
    hook(
        "webhook-outlook",
        "outlook.office.com",
        "/IncomingWebhook/",
        0,
        "Microsoft Teams, Webhooks",
    ),
    hook(
        "webhook-zapier",
        "hooks.zapier.com",
        "/catch/",
        1,
        "Zapier, Webhooks",
    ),
    hook(
        "webhook-ifttt",
        "maker.ifttt.com",
        "/with/key/",
        0,
        "IFTTT, Webhooks",
    ),
    hook(
        "webhook-feishu",
        "open.feishu.cn",
        "/hook/",
        0,
        "Feishu, Custom bots",
    ),
    hook(
        "webhook-lark",
        "open.larksuite.com",
        "/hook/",
        0,
        "Lark, Custom bots",
    ),
    hook(
        "webhook-wecom",
        "qyapi.weixin.qq.com",
        "/send?key=",
        0,
        "WeCom, Group robots",
    ),
    hook(
        "webhook-google-chat",
        "chat.googleapis.com",
        "token=",
        0,
        "Google Chat, Webhooks",
    ),
    hook("webhook-make", "make.com", "/", 0, "Make, Webhooks"),
    hook(
        "webhook-integromat",
        "hook.integromat.com",
        "/",
        0,
        "Make, Webhooks",
    ),
    hook(
        "webhook-pagerduty",
        "events.pagerduty.com",
        "/integration/",
        0,
        "PagerDuty, Integrations",
    ),
    hook(
        "webhook-webex",
        "webexapis.com",
        "/webhooks/incoming/",
        0,
        "Webex, Incoming webhooks",
    ),
    hook(
        "webhook-netlify",
        "api.netlify.com",
        "/build_hooks/",
        0,
        "Netlify, Build hooks",
    ),
    hook(
        "webhook-vercel",
        "api.vercel.com",
        "/integrations/deploy/",
        1,
        "Vercel, Deploy hooks",
    ),
    hook(
        "webhook-healthchecks",
        "hc-ping.com",
        "/",
        0,
        "Healthchecks, Pinging API",
    ),
    hook(
        "feed-google-calendar",
        "calendar.google.com",
        "/private-",
        0,
        "Google Calendar, secret iCal address",
    ),
    hook(
        "webhook-opsgenie",
        "api.opsgenie.com",
        "apiKey=",
        0,
        "Opsgenie, integrations",
    ),
    hook(
        "webhook-victorops",
        "alert.victorops.com",
        "/alert/",
        0,
        "Splunk On-Call, REST endpoint",
    ),
];

/// Lists the hosts.
pub(super) fn entries() -> impl Iterator<Item = Entry> {
    WEBHOOKS
        .iter()
        .filter(|hook| hook.host != "make.com")
        .map(|hook| Entry::exact(hook.host, Families::URL))
        .chain([Entry::exact("hook.", Families::URL)])
}

/// Lists the rules: one for each service.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    WEBHOOKS.iter().map(|hook| Rule {
        id: hook.id,
        class: WEBHOOK,
        source: hook.source,
    })
}

/// Masks the secret part of a webhook's address, which starts after its scheme.
pub(super) fn webhook(text: &str, place: Range<usize>, spans: &mut Vec<Span>) {
    let from = place.start;
    let bytes = &text.as_bytes()[..place.end];
    let of_host = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
    let host_end = run_end(bytes, from, 128, of_host);
    let host = &text[from..host_end];
    if bytes.get(host_end) != Some(&b'/') {
        return;
    }
    for hook in WEBHOOKS.iter().filter(|hook| host.ends_with(hook.host)) {
        if hook.host == "make.com" && !host.starts_with("hook.") {
            continue;
        }
        let end = run_end(bytes, from, MAX_ADDRESS, |b| {
            !b.is_ascii_whitespace()
                && !matches!(b, b'"' | b'\'' | b'<' | b'>' | b'`' | b')' | b'\\')
        });
        let end = text.floor_char_boundary(end);
        if let Some(range) = secret(text, host_end..end, hook) {
            spans.push(Span::new(range, WEBHOOK, Stage::Url).by(hook.id));
            return;
        }
    }
}

fn secret(text: &str, path: Range<usize>, hook: &Webhook) -> Option<Range<usize>> {
    let address = &text[path.clone()];
    let lead = address.find(hook.lead)? + hook.lead.len();
    let before: usize = address[lead..]
        .split('/')
        .take(hook.skipped)
        .map(|part| part.len() + 1)
        .sum();
    let start = lead + before;
    let secret = address.get(start..)?.split(['?', '&', '#']).next()?;
    let telling = secret.len() >= 12 && looks_random(secret, 12);
    telling.then(|| path.start + start..path.start + start + secret.len())
}
