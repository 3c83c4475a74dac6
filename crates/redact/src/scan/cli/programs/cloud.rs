//! Registries, package managers, secret stores, clouds and continuous integration.

use super::super::taking::Taking::{Input, Joined, Last, Members, Next, Nth, Pair, Short};
use super::{Program, program, takes, telling};

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "docker podman nerdctl buildah skopeo oras regctl apptainer singularity helm crane",
        "docker login and skopeo-login(1), skopeo-copy(1); helm registry login; crane auth login",
        &[
            takes("cli-registry-login", "login", Short("-p")),
            takes("cli-docker-secret", "secret create", Input("-")),
            takes("cli-registry-creds", "", Pair("--creds", ':')),
            takes("cli-registry-src-creds", "", Pair("--src-creds", ':')),
            takes("cli-registry-dest-creds", "", Pair("--dest-creds", ':')),
            takes("cli-registry-input", "login", Input("--password-stdin")),
        ],
    ),
    program(
        "oc",
        "OpenShift CLI reference, oc login",
        &[
            takes("cli-oc-login", "login", Short("-p")),
            takes(
                "cli-oc-literal",
                "create secret",
                Pair("--from-literal", '='),
            ),
        ],
    ),
    program(
        "kubectl",
        "Kubernetes documentation, kubectl create secret generic",
        &[takes(
            "cli-kubectl-literal",
            "create secret",
            Pair("--from-literal", '='),
        )],
    ),
    program(
        "az",
        "Azure CLI reference, az login and az ad sp",
        &[
            takes("cli-az-keyvault", "keyvault secret set", Next("--value")),
            takes("cli-az-login", "login", Short("-p")),
            takes("cli-az-sql", "sql", Next("-p")),
            takes("cli-az-postgres", "postgres", Next("-p")),
            takes("cli-az-mysql", "mysql", Next("-p")),
        ],
    ),
    program(
        "aws",
        "AWS CLI command reference, configure set and secretsmanager",
        &[
            takes(
                "cli-aws-configure",
                "configure set",
                Next("aws_secret_access_key"),
            ),
            takes(
                "cli-aws-session",
                "configure set",
                Next("aws_session_token"),
            ),
            takes(
                "cli-aws-put-parameter",
                "ssm put-parameter",
                Next("--value"),
            ),
            takes(
                "cli-aws-secret-string",
                "secretsmanager",
                Next("--secret-string"),
            ),
        ],
    ),
    program(
        "cf ibmcloud",
        "Cloud Foundry CLI reference, login and auth; IBM Cloud CLI, ibmcloud login",
        &[
            takes("cli-cf-login", "login", Short("-p")),
            takes("cli-cf-auth", "auth", Nth(1)),
        ],
    ),
    program(
        "vault bao",
        "Vault documentation, commands login, unseal, token and kv put",
        &[
            takes("cli-vault-login", "login", Nth(0)),
            takes("cli-vault-unseal", "unseal", Nth(0)),
            takes("cli-vault-token-lookup", "token lookup", Nth(0)),
            takes("cli-vault-token-revoke", "token revoke", Nth(0)),
            takes("cli-vault-kv-put", "kv put", Members),
        ],
    ),
    program(
        "bw",
        "Bitwarden CLI documentation, login and unlock",
        &[
            takes("cli-bw-login", "login", Nth(1)),
            takes("cli-bw-unlock", "unlock", Nth(0)),
        ],
    ),
    program(
        "chamber",
        "chamber README, write",
        &[takes("cli-chamber-write", "write", Nth(2))],
    ),
    program(
        "credstash",
        "credstash README, put",
        &[takes("cli-credstash-put", "put", Nth(1))],
    ),
    program(
        "doppler heroku flyctl fly dokku eb firebase",
        "manuals of Doppler, Heroku, flyctl and Dokku for setting secrets",
        &[
            takes("cli-secrets-set", "secrets set", Members),
            takes("cli-config-set", "config:set", Members),
            takes("cli-setenv", "setenv", Members),
            takes("cli-functions-config-set", "functions:config:set", Members),
            takes("cli-variables-set", "variables set", Members),
        ],
    ),
    program(
        "gh",
        "GitHub CLI manual, gh auth login and gh secret set",
        &[
            takes("cli-gh-input", "auth login", Input("--with-token")),
            takes("cli-gh-secret-input", "secret set", Input("set")),
            takes("cli-gh-secret-b", "secret set", Short("-b")),
            takes("cli-gh-secret-body", "secret set", Next("--body")),
        ],
    ),
    program(
        "glab",
        "GitLab CLI documentation, auth login and variable set",
        &[
            takes("cli-glab-t", "auth login", Next("-t")),
            takes("cli-glab-input", "auth login", Input("--stdin")),
            takes("cli-glab-variable", "variable set", Nth(1)),
        ],
    ),
    program(
        "pulumi",
        "Pulumi documentation, pulumi config set --secret",
        &[takes("cli-pulumi-secret", "config set --secret", Nth(1))],
    ),
    program(
        "wrangler",
        "Cloudflare documentation, wrangler secret put",
        &[takes("cli-wrangler-input", "secret put", Input(""))],
    ),
    program(
        "doctl vercel netlify",
        "manuals of doctl, Vercel CLI and Netlify CLI, global options",
        &[
            takes("cli-doctl-t", "", Next("-t")),
            takes("cli-netlify-auth", "", Next("--auth")),
            takes("cli-vercel-env-input", "env add", Input("add")),
        ],
    ),
    program(
        "ngrok",
        "ngrok documentation, ngrok config add-authtoken",
        &[
            takes("cli-ngrok-authtoken", "authtoken", Nth(0)),
            takes("cli-ngrok-add-authtoken", "add-authtoken", Nth(0)),
        ],
    ),
    program(
        "snyk",
        "Snyk CLI documentation, snyk auth",
        &[takes("cli-snyk-auth", "auth", Nth(0))],
    ),
    program(
        "wandb",
        "W&B documentation, wandb login",
        &[takes("cli-wandb-login", "login", Nth(0))],
    ),
    program(
        "mc",
        "MinIO documentation, mc alias set",
        &[
            takes("cli-mc-user", "admin user add", Nth(2)),
            takes("cli-mc-alias", "alias set", Nth(3)),
            takes("cli-mc-config", "config host add", Nth(3)),
        ],
    ),
    program(
        "b2",
        "Backblaze B2 command-line tool, authorize-account",
        &[
            takes("cli-b2-authorize", "authorize-account", Nth(1)),
            takes("cli-b2-account", "account authorize", Nth(1)),
        ],
    ),
    program(
        "twine",
        "Twine documentation, twine upload",
        &[takes("cli-twine-p", "", Short("-p"))],
    ),
    program(
        "cargo",
        "The Cargo Book, cargo login",
        &[takes("cli-cargo-login", "login", Nth(0))],
    ),
    program(
        "npm yarn pnpm",
        "npm documentation, npm config set and .npmrc",
        &[
            takes("cli-npm-auth", "config set", Next("_auth")),
            takes(
                "cli-npm-authtoken",
                "config set",
                Next("//registry.npmjs.org/:_authToken"),
            ),
            takes("cli-npm-password", "config set", Next("_password")),
            telling("cli-npm-registry-auth", "config set", Nth(1)),
        ],
    ),
    program(
        "poetry",
        "Poetry documentation, Configuring credentials",
        &[
            takes("cli-poetry-token", "config", Next("pypi-token.pypi")),
            takes("cli-poetry-basic", "config", Nth(2)),
        ],
    ),
    program(
        "nuget choco",
        "NuGet CLI reference, push and setapikey; Chocolatey apikey",
        &[
            takes("cli-nuget-apikey", "", Next("-ApiKey")),
            takes("cli-nuget-push", "push", Nth(1)),
            takes("cli-nuget-setapikey", "setapikey", Nth(0)),
            takes("cli-nuget-password", "", Next("-Password")),
            takes("cli-choco-k", "", Next("-k")),
        ],
    ),
    program(
        "dotnet",
        ".NET CLI documentation, dotnet nuget push and add source",
        &[
            takes("cli-dotnet-user-secrets", "user-secrets set", Nth(1)),
            takes("cli-dotnet-push", "nuget push", Short("-k")),
            takes("cli-dotnet-source", "nuget add source", Short("-p")),
        ],
    ),
    program(
        "gitlab-runner",
        "GitLab Runner documentation, register",
        &[takes("cli-gitlab-runner-r", "register", Next("-r"))],
    ),
    program(
        "sonar-scanner mvn gradle gradlew",
        "SonarScanner documentation, analysis parameters",
        &[
            takes("cli-sonar-login", "", Joined("-Dsonar.login=")),
            takes("cli-sonar-token", "", Joined("-Dsonar.token=")),
        ],
    ),
    program(
        "jenkins-cli.jar jenkins-cli",
        "Jenkins Handbook, Jenkins CLI, -auth",
        &[takes("cli-jenkins-auth", "", Pair("-auth", ':'))],
    ),
    program(
        "codecov travis",
        "Codecov uploader; travis encrypt",
        &[
            takes("cli-codecov-t", "", Next("-t")),
            takes("cli-travis-encrypt", "encrypt", Last),
        ],
    ),
    program(
        "eas eas-cli",
        "EAS CLI documentation, eas secret:create",
        &[takes("cli-eas-value", "secret:create", Next("--value"))],
    ),
    program(
        "ansible-vault",
        "Ansible documentation, Encrypting content with Ansible Vault",
        &[takes("cli-ansible-encrypt", "encrypt_string", Nth(0))],
    ),
    program(
        "salt salt-call",
        "Salt documentation, salt.modules.linux_shadow",
        &[takes("cli-salt-shadow", "shadow.set_password", Nth(1))],
    ),
    program(
        "drush",
        "Drush documentation, user:password",
        &[
            takes("cli-drush-password", "user:password", Nth(1)),
            takes("cli-drush-upwd", "upwd", Nth(1)),
        ],
    ),
    program(
        "knife",
        "Chef documentation, knife bootstrap",
        &[takes("cli-knife-p", "", Short("-P"))],
    ),
    program(
        "p4",
        "Helix Core Command-Line Reference, global options",
        &[
            takes("cli-p4-p", "", Short("-P")),
            takes("cli-p4-input", "login", Input("")),
        ],
    ),
    program(
        "tf",
        "Azure DevOps documentation, tf /login",
        &[takes("cli-tf-login", "", Pair("/login:", ','))],
    ),
];
