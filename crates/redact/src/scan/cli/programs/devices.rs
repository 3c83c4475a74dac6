//! Directives in the configurations of network devices, servers and daemons, and the commands of
//! text protocols, which read like command lines.

use super::super::taking::Taking::{Last, Logon, Next, Nth, Pair, PairAt, Setting};
use super::{Program, line, program, takes, telling};

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "masterauth",
        "Redis documentation, redis.conf",
        &[telling("conf-redis-masterauth", "", Setting(""))],
    ),
    program(
        "key",
        "Cisco IOS and ASA command references, key of a AAA server; Huawei and HPE Comware, key",
        &[
            line("conf-device-key", Setting("")),
            line("conf-device-key-simple", Setting("simple")),
            line("conf-device-key-cipher", Setting("cipher")),
        ],
    ),
    program(
        "radius-common-pw ldap-login-password",
        "Cisco ASA command reference, aaa-server host",
        &[telling("conf-asa-password", "", Setting(""))],
    ),
    program(
        "standby vrrp glbp",
        "Cisco IOS First Hop Redundancy Protocols command reference",
        &[telling(
            "conf-ios-redundancy",
            "",
            Setting("authentication"),
        )],
    ),
    program(
        "pre-shared-key server-private authentication-server",
        "Cisco IOS Security command reference; ArubaOS, aaa authentication-server",
        &[telling("conf-shared-key", "", Setting("key"))],
    ),
    program(
        "wpa-psk set-key",
        "Cisco IOS and AireOS wireless command references, security wpa psk",
        &[telling("conf-wireless-psk", "", Setting(""))],
    ),
    program(
        "snmp-agent",
        "Huawei VRP command reference, snmp-agent community",
        &[
            telling("conf-vrp-community-read", "", Setting("read")),
            telling("conf-vrp-community-write", "", Setting("write")),
        ],
    ),
    program(
        "snmp",
        "Junos OS documentation, community",
        &[telling("conf-junos-community", "", Setting("community"))],
    ),
    program(
        "tacplus-server",
        "Junos OS documentation, secret of tacplus-server",
        &[telling("conf-junos-tacplus", "", Setting("secret"))],
    ),
    program(
        "psksecret ppk-secret auth-pwd priv-pwd",
        "FortiOS CLI reference, vpn ipsec and system snmp user",
        &[telling("conf-fortios-secret", "", Setting(""))],
    ),
    program(
        "ENC",
        "FortiOS CLI reference, encrypted passwords",
        &[telling("conf-fortios-encrypted", "", Nth(0))],
    ),
    program(
        "irreversible-cipher",
        "Huawei VRP command reference, local-user password",
        &[telling("conf-vrp-cipher", "", Nth(0))],
    ),
    program(
        "super",
        "Huawei VRP and HPE Comware command references, super password",
        &[telling("conf-vrp-super", "", Setting("password"))],
    ),
    program(
        "option",
        "OpenWrt documentation, UCI wireless configuration",
        &[telling("conf-uci-key", "", Next("key"))],
    ),
    program(
        "rocommunity rwcommunity rocommunity6 rwcommunity6",
        "snmpd.conf(5) of Net-SNMP",
        &[telling("conf-snmpd-community", "", Nth(0))],
    ),
    program(
        "com2sec com2sec6",
        "snmpd.conf(5) of Net-SNMP",
        &[telling("conf-snmpd-com2sec", "", Nth(2))],
    ),
    program(
        "createUser usmUser",
        "snmpd.conf(5) of Net-SNMP, createUser",
        &[
            telling("conf-snmpd-user-sha", "", Setting("SHA")),
            telling("conf-snmpd-user-sha256", "", Setting("SHA-256")),
            telling("conf-snmpd-user-sha512", "", Setting("SHA-512")),
            telling("conf-snmpd-user-md5", "", Setting("MD5")),
            telling("conf-snmpd-user-aes", "", Setting("AES")),
            telling("conf-snmpd-user-des", "", Setting("DES")),
        ],
    ),
    program(
        "stats",
        "HAProxy configuration manual, stats auth",
        &[takes("conf-haproxy-stats", "auth", PairAt(0, ':'))],
    ),
    program(
        "cache_peer",
        "Squid configuration directive cache_peer",
        &[takes("conf-squid-login", "", Pair("login=", ':'))],
    ),
    program(
        "BasicAuth",
        "tinyproxy.conf(5)",
        &[telling("conf-tinyproxy", "", Nth(1))],
    ),
    program(
        "allow",
        "Monit documentation, httpd authentication",
        &[line("conf-monit-allow", PairAt(0, ':'))],
    ),
    program(
        "EAP XAUTH",
        "strongSwan documentation, ipsec.secrets",
        &[telling("conf-ipsec-eap", "", Nth(0))],
    ),
    program(
        "MONITOR",
        "upsmon.conf(5) of Network UPS Tools",
        &[telling("conf-upsmon", "", Nth(3))],
    ),
    program(
        "NickServ nickserv NICKSERV",
        "Atheme and Anope documentation, NickServ IDENTIFY and REGISTER",
        &[
            telling("irc-nickserv", "", Last),
            telling("irc-nickserv-register", "REGISTER", Nth(0)),
        ],
    ),
    program(
        "OPER oper",
        "RFC 2812, section 3.1.4",
        &[telling("irc-oper", "", Nth(1))],
    ),
    program(
        "LOGIN",
        "RFC 9051, section 6.2.3",
        &[telling("imap-login", "", Nth(1))],
    ),
    program(
        "AUTH AUTHENTICATE",
        "RFC 4954, section 4; RFC 9051, section 6.2.2; Tor control protocol; Redis documentation, AUTH",
        &[telling("protocol-auth", "", Last)],
    ),
    program(
        "connect CONNECT conn CONN",
        "Oracle SQL*Plus User's Guide, CONNECT",
        &[telling("sqlplus-connect", "", Logon)],
    ),
    program(
        "addauth",
        "Apache ZooKeeper documentation, addauth",
        &[takes("zookeeper-addauth", "digest", PairAt(0, ':'))],
    ),
];
