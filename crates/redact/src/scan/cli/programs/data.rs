//! Databases, queues, directories and archives.

use super::super::taking::Taking::{Bundled, Joined, Last, Logon, Next, Nth, Pair, PairAt, Short};
use super::{Program, program, takes, telling};

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlslap mysqlpump \
         mysqlbinlog mysqlsh mysql_upgrade mariadb mariadb-dump mariadb-admin mariadb-check \
         mariadb-import mariadb-backup mariabackup mycli",
        "MySQL 8.4 Reference Manual, 6.2.3, Command Options for Connecting to the Server",
        &[takes("cli-mysql-p", "", Joined("-p"))],
    ),
    program(
        "mydumper myloader xtrabackup innobackupex",
        "MyDumper documentation, mydumper; Percona XtraBackup option reference",
        &[takes("cli-mydumper-p", "", Short("-p"))],
    ),
    program(
        "mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles",
        "MongoDB Database Tools and mongosh documentation, options",
        &[takes("cli-mongo-p", "", Short("-p"))],
    ),
    program(
        "redis-cli valkey-cli keydb-cli",
        "Redis documentation, redis-cli",
        &[
            takes("cli-redis-a", "", Next("-a")),
            takes("cli-redis-pass", "", Next("--pass")),
            takes("cli-redis-auth", "AUTH", Last),
            takes("cli-redis-requirepass", "", Next("requirepass")),
            takes("cli-redis-masterauth", "", Next("masterauth")),
        ],
    ),
    program(
        "SETUSER setuser",
        "Redis documentation, ACL SETUSER",
        &[takes("cli-redis-setuser", "", Joined(">"))],
    ),
    program(
        "sqlcmd bcp osql tsql freebcp",
        "Microsoft Learn, sqlcmd utility and bcp utility; FreeTDS User Guide, tsql",
        &[takes("cli-sqlcmd-p", "", Short("-P"))],
    ),
    program(
        "sqlplus sqlldr rman exp imp expdp impdp sqlcl",
        "Oracle SQL*Plus User's Guide, 3.1; Oracle Database Utilities",
        &[takes("cli-oracle-logon", "", Logon)],
    ),
    program(
        "cqlsh nodetool sstableloader",
        "Apache Cassandra documentation, cqlsh and nodetool",
        &[
            takes("cli-cassandra-p", "", Short("-p")),
            takes("cli-cassandra-pw", "", Next("-pw")),
        ],
    ),
    program(
        "beeline sqoop cypher-shell hdbsql exaplus couchbase-cli cbq cbbackupmgr \
         cbimport cbexport arangosh",
        "manuals of Hive beeline, Neo4j cypher-shell, SAP HANA hdbsql, Exaplus and Couchbase",
        &[takes("cli-database-p", "", Short("-p"))],
    ),
    program(
        "neo4j-admin",
        "Neo4j Operations Manual, neo4j-admin dbms set-initial-password",
        &[takes("cli-neo4j-initial", "set-initial-password", Nth(0))],
    ),
    program(
        "vsql",
        "Vertica documentation, vsql command-line options",
        &[takes("cli-vsql-w", "", Short("-w"))],
    ),
    program(
        "isql-fb gsec gbak gfix isql",
        "Firebird documentation, isql and gbak command line",
        &[
            takes("cli-firebird-password", "", Next("-password")),
            telling("cli-isql-dsn", "", Nth(2)),
            takes("cli-firebird-pas", "", Next("-pas")),
            takes("cli-firebird-pw", "", Next("-pw")),
        ],
    ),
    program(
        "db2",
        "IBM Db2 documentation, CONNECT command",
        &[takes("cli-db2-using", "connect", Next("using"))],
    ),
    program(
        "influx",
        "InfluxDB documentation, influx CLI",
        &[
            takes("cli-influx-password", "", Next("-password")),
            takes("cli-influx-t", "", Next("-t")),
            takes("cli-influx-p", "", Next("-p")),
        ],
    ),
    program(
        "rabbitmqctl",
        "rabbitmqctl(8), user management",
        &[
            takes("cli-rabbitmq-add-user", "add_user", Nth(1)),
            takes("cli-rabbitmq-change-password", "change_password", Nth(1)),
            takes("cli-rabbitmq-authenticate", "authenticate_user", Nth(1)),
        ],
    ),
    program(
        "rabbitmqadmin rabbitadmin",
        "RabbitMQ documentation, Management Command Line Tool",
        &[takes("cli-rabbitmqadmin-p", "", Short("-p"))],
    ),
    program(
        "mosquitto_pub mosquitto_sub mosquitto_rr mosquitto_ctrl",
        "mosquitto_pub(1), mosquitto_sub(1)",
        &[takes("cli-mosquitto-p", "", Short("-P"))],
    ),
    program(
        "mosquitto_passwd",
        "mosquitto_passwd(1)",
        &[takes("cli-mosquitto-passwd", "", Bundled('b', 2))],
    ),
    program(
        "etcdctl",
        "etcd documentation, etcdctl global flags",
        &[
            takes("cli-etcd-user", "", Pair("--user", ':')),
            takes("cli-etcd-user-add", "user add", PairAt(0, ':')),
        ],
    ),
    program(
        "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldapmodrdn ldapexop \
         ldapurl dsconf dsidm",
        "ldapsearch(1) of OpenLDAP",
        &[takes("cli-ldap-w", "", Short("-w"))],
    ),
    program(
        "ldappasswd slappasswd",
        "ldappasswd(1) and slappasswd(8) of OpenLDAP",
        &[
            takes("cli-ldappasswd-w", "", Short("-w")),
            takes("cli-ldappasswd-s", "", Short("-s")),
            takes("cli-ldappasswd-a", "", Short("-a")),
        ],
    ),
    program(
        "zip unzip zipcloak zipnote zipsplit",
        "Info-ZIP manual, zip(1) and unzip(1)",
        &[takes("cli-zip-p", "", Short("-P"))],
    ),
    program(
        "7z 7za 7zr 7zz p7zip",
        "7-Zip help, -p (set Password) switch",
        &[takes("cli-7z-p", "", Joined("-p"))],
    ),
    program(
        "rar unrar",
        "RAR manual, switches -p and -hp",
        &[
            takes("cli-rar-p", "", Joined("-p")),
            takes("cli-rar-hp", "", Joined("-hp")),
        ],
    ),
    program(
        "arj",
        "ARJ manual, switch -g",
        &[takes("cli-arj-g", "", Joined("-g"))],
    ),
    program(
        "ccrypt ccencrypt ccdecrypt",
        "ccrypt(1)",
        &[takes("cli-ccrypt-k", "", Short("-K"))],
    ),
    program(
        "aescrypt steghide veracrypt zpaq",
        "AES Crypt, steghide(1), VeraCrypt command line, zpaq(1)",
        &[
            takes("cli-crypt-p", "", Short("-p")),
            takes("cli-crypt-key", "", Next("-key")),
        ],
    ),
    program(
        "mcrypt",
        "mcrypt(1)",
        &[takes("cli-mcrypt-k", "", Short("-k"))],
    ),
    program(
        "pdftk",
        "PDFtk Server manual, encryption options",
        &[
            takes("cli-pdftk-user", "", Next("user_pw")),
            takes("cli-pdftk-owner", "", Next("owner_pw")),
            takes("cli-pdftk-input", "", Next("input_pw")),
        ],
    ),
    program(
        "pdftotext pdftoppm pdfimages pdfinfo pdftops pdftohtml pdftocairo pdffonts",
        "pdftotext(1) of Poppler",
        &[
            takes("cli-poppler-upw", "", Next("-upw")),
            takes("cli-poppler-opw", "", Next("-opw")),
        ],
    ),
    program(
        "qpdf",
        "qpdf manual, 3.9 Encryption",
        &[
            takes("cli-qpdf-encrypt-user", "", Next("--encrypt")),
            takes("cli-qpdf-encrypt-owner", "--encrypt", Nth(1)),
        ],
    ),
];
