//! Administration, testing and client programs of services, of smart cards and of hosts.

use super::super::taking::Taking::{Input, Joined, Last, Next, Nth, Pair, PairAt, Short};
use super::{Program, program, takes, telling};

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "ipa-client-install ipa-server-install ipa-replica-install ipa-adtrust-install",
        "ipa-client-install(1), ipa-server-install(1)",
        &[
            takes("cli-ipa-w", "", Short("-w")),
            takes("cli-ipa-a", "", Short("-a")),
            telling("cli-ipa-p", "", Short("-p")),
        ],
    ),
    program(
        "steamcmd steamcmd.sh",
        "Valve developer wiki, SteamCMD, +login",
        &[telling("cli-steamcmd-login", "+login", Nth(1))],
    ),
    program(
        "saslpasswd2",
        "saslpasswd2(8)",
        &[takes("cli-saslpasswd2-input", "", Input("-p"))],
    ),
    program(
        "samba-tool",
        "samba-tool(8)",
        &[
            takes("cli-samba-tool-create", "user create", Nth(1)),
            takes("cli-samba-tool-add", "user add", Nth(1)),
            takes("cli-samba-tool-u", "", Pair("-U", '%')),
        ],
    ),
    program(
        "adcli",
        "adcli(8)",
        &[takes("cli-adcli-input", "", Input("--stdin-password"))],
    ),
    program(
        "certreq dsquery dsget dsmove dsrm",
        "Microsoft Learn, certreq and dsquery",
        &[telling("cli-dsquery-p", "", Next("-p"))],
    ),
    program(
        "ldifde csvde",
        "Microsoft Learn, ldifde and csvde, -a and -b",
        &[
            telling("cli-ldifde-a", "-a", Nth(1)),
            telling("cli-ldifde-b", "-b", Nth(2)),
        ],
    ),
    program(
        "vncdo vncdotool mqttx_cli upsrw upscmd airflow gitea forgejo conan ilorest esxcli \
         openfortivpn yt-dlp youtube-dl mutool add-user.sh bloodhound-python enum4linux \
         enum4linux-ng pkcs11-tool check_mysql check_pgsql check_ssh check_smtp tacc",
        "manuals of the programs, -p",
        &[telling("cli-service-p", "", Short("-p"))],
    ),
    program(
        "mqttx vmware-cmd check_ldap",
        "MQTTX CLI, VMware and Monitoring Plugins documentation, -P",
        &[telling("cli-service-upper-p", "", Short("-P"))],
    ),
    program(
        "mqtt blat",
        "HiveMQ MQTT CLI and Blat documentation, -pw",
        &[telling("cli-service-pw", "", Next("-pw"))],
    ),
    program(
        "check_http check_curl check_tcp",
        "Monitoring Plugins documentation, check_http -a",
        &[takes("cli-check-http-a", "", Pair("-a", ':'))],
    ),
    program(
        "govc",
        "govc usage, -u",
        &[telling("cli-govc-u", "", Pair("-u", ':'))],
    ),
    program(
        "gcloud",
        "Google Cloud documentation, gcloud secrets",
        &[takes(
            "cli-gcloud-secrets-input",
            "secrets",
            Input("--data-file=-"),
        )],
    ),
    program(
        "ssh-add zfs kubeseal keepassxc-cli lpass systemd-creds secret-tool keyring argon2 elasticsearch-keystore \
         logstash-keystore kibana-keystore opensearch-keystore",
        "ssh-add(1), zfs-load-key(8), keepassxc-cli(1), lpass(1), systemd-creds(1), secret-tool(1), keyring and argon2 usage, Elasticsearch documentation",
        &[takes("cli-secret-input", "", Input(""))],
    ),
    program(
        "pass gopass",
        "pass(1), insert",
        &[takes("cli-pass-input", "insert", Input("insert"))],
    ),
    program(
        "gpg-preset-passphrase",
        "gpg-preset-passphrase(1)",
        &[
            takes("cli-gpg-preset-p", "", Short("-P")),
            takes("cli-gpg-preset-input", "", Input("--preset")),
        ],
    ),
    program(
        "snx",
        "Check Point documentation, SSL Network Extender",
        &[takes("cli-snx-input", "", Input(""))],
    ),
    program(
        "anydesk",
        "AnyDesk documentation, command-line interface",
        &[
            takes("cli-anydesk-with-password", "", Input("--with-password")),
            takes("cli-anydesk-set-password", "", Input("--set-password")),
        ],
    ),
    program(
        "pw",
        "pw(8) of FreeBSD, -h",
        &[takes("cli-pw-input", "", Input("-h"))],
    ),
    program(
        "ykman",
        "YubiKey Manager CLI user guide",
        &[
            takes("cli-ykman-oath", "oath accounts add", Nth(1)),
            takes("cli-ykman-pin", "", Next("--pin")),
            takes("cli-ykman-new-pin", "", Next("--new-pin")),
            takes("cli-ykman-puk", "", Next("--puk")),
            takes("cli-ykman-management-key", "", Next("--management-key")),
        ],
    ),
    program(
        "softhsm2-util pkcs15-init pkcs15-tool sc-hsm-tool tpm2_ptool",
        "softhsm2-util(1) and the manuals of OpenSC, --pin",
        &[
            takes("cli-pkcs11-pin", "", Next("--pin")),
            takes("cli-pkcs11-so-pin", "", Next("--so-pin")),
            takes("cli-pkcs11-puk", "", Next("--puk")),
        ],
    ),
    program(
        "virsh",
        "virsh(1), secret-set-value",
        &[takes(
            "cli-virsh-secret",
            "secret-set-value",
            Next("--base64"),
        )],
    ),
    program(
        "iscsiadm",
        "iscsiadm(8)",
        &[
            takes(
                "cli-iscsi-password",
                "node.session.auth.password",
                Next("-v"),
            ),
            takes(
                "cli-iscsi-password-in",
                "node.session.auth.password_in",
                Next("-v"),
            ),
        ],
    ),
    program(
        "ejabberdctl prosodyctl",
        "ejabberdctl(8) and prosodyctl(8), register and change_password",
        &[
            takes("cli-xmpp-register", "register", Nth(2)),
            takes("cli-xmpp-change-password", "change_password", Nth(2)),
        ],
    ),
    program(
        "radtest",
        "radtest(1) of FreeRADIUS",
        &[
            takes("cli-radtest-password", "", Nth(1)),
            takes("cli-radtest-secret", "", Nth(4)),
        ],
    ),
    program(
        "radclient radwho",
        "radclient(1) of FreeRADIUS",
        &[telling("cli-radclient-secret", "", Nth(2))],
    ),
    program(
        "adb",
        "Android documentation, cmd wifi connect-network",
        &[takes("cli-adb-wifi", "connect-network", Nth(2))],
    ),
    program(
        "hdbuserstore",
        "SAP HANA documentation, hdbuserstore SET",
        &[takes("cli-hdbuserstore", "set", Nth(3))],
    ),
    program(
        "outguess",
        "outguess(1)",
        &[takes("cli-outguess-k", "", Short("-k"))],
    ),
    program(
        "transmission-remote",
        "transmission-remote(1)",
        &[takes("cli-transmission-n", "", Pair("-n", ':'))],
    ),
    program(
        "dig nsupdate delv mdig",
        "dig(1) and nsupdate(1) of BIND, -y",
        &[takes("cli-dnskey-y", "", Short("-y"))],
    ),
    program(
        "splunk",
        "Splunk documentation, CLI authentication",
        &[takes("cli-splunk-auth", "", Pair("-auth", ':'))],
    ),
    program(
        "composer",
        "Composer documentation, Authentication for privately hosted packages",
        &[telling("cli-composer-config", "config", Last)],
    ),
    program(
        "bundle bundler",
        "bundle-config(1)",
        &[
            takes("cli-bundle-config-set", "config set", PairAt(1, ':')),
            takes("cli-bundle-config", "config", PairAt(1, ':')),
        ],
    ),
    program(
        "swift",
        "python-swiftclient documentation, -K",
        &[takes("cli-swift-key", "", Short("-K"))],
    ),
    program(
        "bx",
        "IBM Cloud CLI, login",
        &[takes("cli-bluemix-p", "login", Short("-p"))],
    ),
    program(
        "sqlcipher",
        "SQLCipher API, PRAGMA key",
        &[takes("cli-sqlcipher-key", "", Joined("key="))],
    ),
];
