//! Remote shells, transfers, HTTP clients, mail and wireless networks.

use super::super::taking::Taking::{
    Field, Input, Joined, Last, Next, Nth, Pair, Setting, Short, Target,
};
use super::{Program, program, takes, telling};

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "sshpass",
        "sshpass(1)",
        &[takes("cli-sshpass-p", "", Short("-p"))],
    ),
    program(
        "plink pscp psftp putty puttygen kitty",
        "PuTTY User Manual, 3.11.3.8 -pw",
        &[takes("cli-putty-pw", "", Next("-pw"))],
    ),
    program(
        "smbclient smbget rpcclient winexe smbcacls smbcquotas wmic.py",
        "smbclient(1) of Samba, -U",
        &[
            takes("cli-samba-u", "", Pair("-U", '%')),
            takes("cli-samba-user", "", Pair("--user", '%')),
            telling("cli-samba-argument", "", Nth(1)),
        ],
    ),
    program(
        "smbmap crackmapexec netexec nxc evil-winrm hydra medusa ncftp ncftpput ncftpget ncftpls \
         ipmipower ipmiconsole ipmi-sel ipmi-sensors racadm swanctl",
        "manuals of smbmap, NetExec, evil-winrm, hydra(1), ncftpput(1) and FreeIPMI",
        &[
            takes("cli-remote-p", "", Short("-p")),
            telling("cli-remote-hash", "", Short("-H")),
        ],
    ),
    program(
        "psexec.py smbexec.py wmiexec.py atexec.py dcomexec.py secretsdump.py GetUserSPNs.py \
         GetNPUsers.py mssqlclient.py smbclient.py impacket-psexec impacket-smbexec \
         impacket-wmiexec impacket-secretsdump impacket-mssqlclient impacket-smbclient",
        "Impacket, target argument of the example scripts",
        &[
            takes("cli-impacket-target", "", Target),
            takes("cli-impacket-hashes-option", "", Pair("-hashes", ':')),
        ],
    ),
    program(
        "ttyd",
        "ttyd(1)",
        &[takes("cli-ttyd-c", "", Pair("-c", ':'))],
    ),
    program(
        "wbinfo",
        "wbinfo(1) of Samba",
        &[takes("cli-wbinfo-a", "", Pair("-a", '%'))],
    ),
    program(
        "realm vncpasswd",
        "realm(8); vncpasswd(1)",
        &[takes("cli-realm-input", "", Input(""))],
    ),
    program(
        "ipmitool",
        "ipmitool(1)",
        &[
            takes("cli-ipmitool-p", "", Short("-P")),
            takes("cli-ipmitool-user", "user set password", Nth(1)),
        ],
    ),
    program(
        "ftp tnftp",
        "ftp(1), user",
        &[telling("cli-ftp-user", "user", Nth(1))],
    ),
    program(
        "curl",
        "curl(1)",
        &[
            takes("cli-curl-u", "", Pair("-u", ':')),
            takes("cli-curl-user", "", Pair("--user", ':')),
            takes("cli-curl-proxy-u", "", Pair("-U", ':')),
            takes("cli-curl-proxy-user", "", Pair("--proxy-user", ':')),
            takes("cli-curl-cert", "", Pair("--cert", ':')),
            takes("cli-curl-e", "", Pair("-E", ':')),
            takes("cli-curl-pass", "", Next("--pass")),
            takes("cli-curl-proxy-pass", "", Next("--proxy-pass")),
            takes("cli-curl-tlspassword", "", Next("--tlspassword")),
            takes("cli-curl-form", "", Field("-F")),
            takes("cli-curl-form-long", "", Field("--form")),
            takes("cli-curl-form-string", "", Field("--form-string")),
            takes("cli-curl-data-urlencode", "", Field("--data-urlencode")),
        ],
    ),
    program(
        "wget wget2",
        "GNU Wget manual, 2.7 HTTP Options and 2.9 FTP Options",
        &[
            takes("cli-wget-http-passwd", "", Next("--http-passwd")),
            takes("cli-wget-ftp-password", "", Next("--ftp-password")),
        ],
    ),
    program(
        "http https httpie xh xhs",
        "HTTPie documentation, Authentication",
        &[
            takes("cli-httpie-a", "", Pair("-a", ':')),
            takes("cli-httpie-auth", "", Pair("--auth", ':')),
        ],
    ),
    program(
        "ab hey wrk2",
        "ab(1) of the Apache HTTP Server; hey's usage",
        &[
            takes("cli-ab-a", "", Pair("-A", ':')),
            takes("cli-ab-p", "", Pair("-P", ':')),
            takes("cli-hey-a", "", Pair("-a", ':')),
        ],
    ),
    program(
        "lftp",
        "lftp(1)",
        &[takes("cli-lftp-u", "", Pair("-u", ','))],
    ),
    program(
        "rclone",
        "rclone documentation, rclone obscure",
        &[
            takes("cli-rclone-obscure", "obscure", Nth(0)),
            takes("cli-rclone-pass", "config create", Next("pass")),
        ],
    ),
    program(
        "snmpwalk snmpget snmpset snmpbulkwalk snmpbulkget snmptrap snmptable snmpgetnext snmpinform",
        "snmpcmd(1) of Net-SNMP",
        &[
            takes("cli-snmp-auth", "", Short("-A")),
            takes("cli-snmp-priv", "", Short("-X")),
            telling("cli-snmp-community", "", Short("-c")),
        ],
    ),
    program(
        "xfreerdp xfreerdp3 wlfreerdp sdl-freerdp wfreerdp",
        "xfreerdp(1)",
        &[
            takes("cli-freerdp-p", "", Joined("/p:")),
            takes("cli-freerdp-gp", "", Joined("/gp:")),
            takes("cli-freerdp-password", "", Joined("/password:")),
        ],
    ),
    program(
        "rdesktop",
        "rdesktop(1)",
        &[takes("cli-rdesktop-p", "", Short("-p"))],
    ),
    program(
        "x11vnc",
        "x11vnc(1)",
        &[takes("cli-x11vnc-passwd", "", Next("-passwd"))],
    ),
    program(
        "wpa_passphrase",
        "wpa_passphrase(8)",
        &[takes("cli-wpa-passphrase", "", Nth(1))],
    ),
    program(
        "wpa_cli",
        "wpa_cli(8)",
        &[
            takes("cli-wpa-psk", "set_network", Next("psk")),
            takes("cli-wpa-password", "set_network", Next("password")),
        ],
    ),
    program(
        "nmcli",
        "nmcli(1)",
        &[
            takes("cli-nmcli-password", "", Next("password")),
            takes("cli-nmcli-psk", "", Next("wifi-sec.psk")),
            takes(
                "cli-nmcli-wireless-psk",
                "",
                Next("802-11-wireless-security.psk"),
            ),
            takes("cli-nmcli-wep", "", Next("wifi-sec.wep-key0")),
            takes("cli-nmcli-eap", "", Next("802-1x.password")),
        ],
    ),
    program(
        "iwconfig",
        "iwconfig(8)",
        &[
            takes("cli-iwconfig-key", "", Next("key")),
            takes("cli-iwconfig-enc", "", Next("enc")),
        ],
    ),
    program(
        "networksetup",
        "networksetup(8) of macOS",
        &[takes("cli-networksetup", "-setairportnetwork", Nth(2))],
    ),
    program(
        "swaks sendEmail sendemail",
        "swaks(1); sendEmail's usage",
        &[
            takes("cli-swaks-ap", "", Next("-ap")),
            takes("cli-swaks-auth-password", "", Next("--auth-password")),
            takes("cli-sendemail-xp", "", Next("-xp")),
        ],
    ),
    program(
        "sqlmap nikto wpscan",
        "sqlmap usage, --auth-cred; nikto -id",
        &[
            takes("cli-sqlmap-auth", "", Pair("--auth-cred", ':')),
            takes("cli-nikto-id", "", Pair("-id", ':')),
        ],
    ),
    program(
        "openconnect",
        "openconnect(8)",
        &[takes(
            "cli-openconnect-input",
            "",
            Input("--passwd-on-stdin"),
        )],
    ),
    program(
        "kadmin kadmin.local ktutil",
        "kadmin(1) of MIT Kerberos",
        &[
            takes("cli-kadmin-pw", "", Next("-pw")),
            takes("cli-kadmin-w", "", Short("-w")),
        ],
    ),
    program(
        "snmp-server",
        "Cisco IOS SNMP Command Reference, snmp-server user",
        &[
            telling("cli-ios-snmp-community", "", Setting("community")),
            telling("cli-ios-snmp-host", "host", Setting("2c")),
            takes("cli-ios-snmp-sha", "auth", Next("sha")),
            takes("cli-ios-snmp-md5", "auth", Next("md5")),
            takes("cli-ios-snmp-des", "priv", Next("des")),
            takes("cli-ios-snmp-aes", "priv aes", Nth(1)),
            takes("cli-ios-snmp-3des", "priv", Next("3des")),
        ],
    ),
    program(
        "isakmp tacacs-server radius-server",
        "Cisco IOS Security Command Reference, crypto isakmp key and tacacs-server key",
        &[
            takes("cli-ios-key", "", Next("key")),
            telling("cli-ios-key-encoded", "", Setting("key")),
            telling("cli-junos-secret", "", Setting("secret")),
        ],
    ),
    program(
        "message-digest-key authentication-key key-string",
        "Cisco IOS IP Routing: OSPF Command Reference",
        &[
            takes("cli-ios-message-digest", "", Next("md5")),
            takes("cli-ios-authentication-key", "", Last),
        ],
    ),
    program(
        "kinit",
        "kinit(1)",
        &[takes("cli-kinit-input", "", Input(""))],
    ),
];
