//! Accounts, key stores and system tools of Unix, macOS and Windows.

use super::super::taking::Taking::{
    BesideShare, Bundled, Input, InputPair, Joined, Last, Next, Nth, Pair, Short,
};
use super::{Program, program, takes, telling};

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "sudo",
        "sudo(8), -S",
        &[takes("cli-sudo-input", "", Input("-S"))],
    ),
    program("su", "su(1)", &[takes("cli-su-input", "", Input(""))]),
    program(
        "passwd",
        "passwd(1), --stdin",
        &[takes("cli-passwd-input", "", Input(""))],
    ),
    program(
        "chpasswd",
        "chpasswd(8)",
        &[takes("cli-chpasswd-input", "", InputPair(""))],
    ),
    program(
        "smbpasswd pdbedit",
        "smbpasswd(8)",
        &[takes("cli-smbpasswd-input", "", Input("-s"))],
    ),
    program(
        "cryptsetup",
        "cryptsetup(8)",
        &[takes("cli-cryptsetup-input", "", Input(""))],
    ),
    program(
        "hdiutil",
        "hdiutil(1) of macOS",
        &[takes("cli-hdiutil-input", "", Input("-stdinpass"))],
    ),
    program(
        "doveadm",
        "doveadm-pw(1)",
        &[takes("cli-doveadm-p", "pw", Short("-p"))],
    ),
    program(
        "useradd usermod",
        "useradd(8), -p",
        &[takes("cli-useradd-p", "", Short("-p"))],
    ),
    program(
        "htpasswd",
        "htpasswd(1) of the Apache HTTP Server, -b and -n",
        &[
            takes("cli-htpasswd-nb", "-nb", Nth(1)),
            takes("cli-htpasswd-nbb", "-nbB", Nth(1)),
            takes("cli-htpasswd-bn", "-bn", Nth(1)),
            takes("cli-htpasswd-b", "", Bundled('b', 2)),
            takes("cli-htpasswd-input", "", Input("-i")),
        ],
    ),
    program(
        "mkpasswd",
        "mkpasswd(1)",
        &[takes("cli-mkpasswd", "", Nth(0))],
    ),
    program(
        "openssl",
        "openssl-passphrase-options(1), openssl-enc(1), openssl-passwd(1), openssl-dgst(1)",
        &[
            takes("cli-openssl-pass", "", Joined("pass:")),
            takes("cli-openssl-k", "enc", Next("-k")),
            takes("cli-openssl-key", "enc", Next("-K")),
            takes("cli-openssl-passwd", "passwd", Last),
            takes("cli-openssl-hmac", "", Next("-hmac")),
            takes("cli-openssl-psk", "", Next("-psk")),
            takes("cli-openssl-input", "", Input("stdin")),
        ],
    ),
    program(
        "keytool jarsigner",
        "Java SE tools reference, keytool and jarsigner",
        &[
            takes("cli-keytool-storepass", "", Next("-storepass")),
            takes("cli-keytool-keypass", "", Next("-keypass")),
            takes("cli-keytool-srcstorepass", "", Next("-srcstorepass")),
            takes("cli-keytool-deststorepass", "", Next("-deststorepass")),
            takes("cli-keytool-srckeypass", "", Next("-srckeypass")),
            takes("cli-keytool-destkeypass", "", Next("-destkeypass")),
            takes("cli-keytool-new", "", Next("-new")),
        ],
    ),
    program(
        "apksigner",
        "Android Studio documentation, apksigner",
        &[takes("cli-apksigner-pass", "", Joined("pass:"))],
    ),
    program(
        "signtool osslsigncode",
        "Microsoft Learn, SignTool; osslsigncode README",
        &[
            takes("cli-signtool-p", "", Next("/p")),
            takes("cli-osslsigncode-pass", "", Next("-pass")),
        ],
    ),
    program(
        "certutil pk12util",
        "certutil of Windows and of NSS; pk12util(1)",
        &[
            takes("cli-certutil-p", "", Next("-p")),
            takes("cli-pk12util-w", "", Next("-W")),
            takes("cli-pk12util-k", "", Next("-K")),
        ],
    ),
    program(
        "ssh-keygen",
        "ssh-keygen(1), -N and -P",
        &[
            takes("cli-ssh-keygen-n", "", Short("-N")),
            takes("cli-ssh-keygen-p", "", Short("-P")),
        ],
    ),
    program(
        "gpg gpg2",
        "gpg(1), --passphrase and --passphrase-fd",
        &[
            takes("cli-gpg-passphrase", "", Next("--passphrase")),
            takes("cli-gpg-input", "--passphrase-fd", Input("0")),
        ],
    ),
    program(
        "oathtool",
        "oathtool(1)",
        &[takes("cli-oathtool", "", Last)],
    ),
    program(
        "grub-mkpasswd-pbkdf2",
        "grub-mkpasswd-pbkdf2(1)",
        &[takes("cli-grub-input", "", Input(""))],
    ),
    program(
        "security",
        "security(1) of macOS",
        &[
            takes("cli-security-add-w", "add-generic-password", Next("-w")),
            takes(
                "cli-security-internet-w",
                "add-internet-password",
                Next("-w"),
            ),
            takes("cli-security-unlock", "unlock-keychain", Short("-p")),
            takes("cli-security-create", "create-keychain", Short("-p")),
            telling("cli-security-set-p", "set-keychain-password", Short("-p")),
            telling("cli-security-set-o", "set-keychain-password", Short("-o")),
            takes("cli-security-import", "import", Next("-P")),
            takes(
                "cli-security-partition",
                "set-key-partition-list",
                Next("-k"),
            ),
        ],
    ),
    program(
        "dscl",
        "dscl(1) of macOS",
        &[takes("cli-dscl-passwd", "-passwd", Nth(1))],
    ),
    program(
        "altool",
        "xcrun altool manual",
        &[takes("cli-altool-p", "", Short("-p"))],
    ),
    program(
        "net NET",
        "Microsoft Learn, net user; net(8) of Samba",
        &[
            takes("cli-net-user", "user", Nth(1)),
            takes("cli-net-use", "use", BesideShare),
            takes("cli-net-samba", "", Pair("-U", '%')),
        ],
    ),
    program(
        "cmdkey",
        "Microsoft Learn, cmdkey",
        &[
            takes("cli-cmdkey-pass", "", Joined("/pass:")),
            takes("cli-cmdkey-p", "", Joined("/p:")),
        ],
    ),
    program(
        "psexec psexec64 PsExec PsExec64 pskill psservice pslist PsExec.exe",
        "Microsoft Learn, Sysinternals PsExec",
        &[takes("cli-psexec-p", "", Next("-p"))],
    ),
    program(
        "schtasks",
        "Microsoft Learn, schtasks create",
        &[
            takes("cli-schtasks-rp", "", Next("/rp")),
            takes("cli-schtasks-p", "", Next("/p")),
        ],
    ),
    program(
        "netsh",
        "Microsoft Learn, netsh wlan",
        &[
            takes("cli-netsh-key", "", Joined("key=")),
            takes("cli-netsh-keymaterial", "", Joined("keyMaterial=")),
        ],
    ),
    program(
        "wmic",
        "Microsoft Learn, wmic",
        &[takes("cli-wmic-password", "", Joined("/password:"))],
    ),
    program(
        "winrs winrm",
        "Microsoft Learn, winrs",
        &[
            takes("cli-winrs-p", "", Joined("-p:")),
            takes("cli-winrs-slash-p", "", Joined("/p:")),
        ],
    ),
    program(
        "dsadd dsmod ktpass netdom",
        "Microsoft Learn, dsadd user, ktpass and netdom join",
        &[
            takes("cli-dsadd-pwd", "", Next("-pwd")),
            takes("cli-ktpass-pass", "", Next("/pass")),
            takes("cli-ktpass-dash-pass", "", Next("-pass")),
            takes("cli-netdom-passwordd", "", Joined("/PasswordD:")),
        ],
    ),
    program(
        "bitsadmin",
        "Microsoft Learn, bitsadmin setcredentials",
        &[takes("cli-bitsadmin", "/setcredentials", Nth(4))],
    ),
    program(
        "reg",
        "Microsoft Learn, reg add and automatic logon",
        &[takes(
            "cli-reg-default-password",
            "DefaultPassword",
            Next("/d"),
        )],
    ),
    program(
        "vmrun",
        "VMware documentation, vmrun",
        &[
            takes("cli-vmrun-gp", "", Next("-gp")),
            takes("cli-vmrun-vp", "", Next("-vp")),
        ],
    ),
    program(
        "ConvertTo-SecureString",
        "Microsoft Learn, ConvertTo-SecureString",
        &[
            takes("cli-securestring-string", "", Next("-String")),
            takes("cli-securestring", "", Nth(0)),
            takes("cli-securestring-input", "", Input("")),
        ],
    ),
    program(
        "mount mount.cifs",
        "mount.cifs(8)",
        &[takes("cli-mount-cifs-user", "", Pair("user=", '%'))],
    ),
];
