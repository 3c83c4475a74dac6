//! The identity numbers of countries: forms, check digits, labels, and who issues them.

use super::check::{self, Check};
use crate::class::{Class, NATIONAL_ID, SIN, SSN};

/// Describes the number of one country.
pub(super) struct Scheme {
    pub(super) id: &'static str,
    pub(super) class: Class,
    /// Its characters without separators: `9` a digit, `A` a letter, `X` either. Any other
    /// character stands for itself.
    pub(super) forms: &'static [&'static str],
    pub(super) check: Check,
    /// Words that announce the number. A blank stands for a blank, `_`, `-` or nothing.
    pub(super) labels: &'static [&'static str],
    /// Whether a labelled number must pass the check, since the labels have other meanings.
    pub(super) strict: bool,
    /// The spelling that needs no label, since nothing else is written so and passes the check.
    pub(super) bare: &'static [&'static str],
    pub(super) source: &'static str,
}

const fn scheme(
    id: &'static str,
    forms: &'static [&'static str],
    check: Check,
    labels: &'static [&'static str],
    source: &'static str,
) -> Scheme {
    Scheme {
        id,
        class: NATIONAL_ID,
        forms,
        check,
        labels,
        strict: false,
        bare: &[],
        source,
    }
}

impl Scheme {
    const fn strict(self) -> Self {
        Self {
            strict: true,
            ..self
        }
    }

    const fn bare(self, bare: &'static [&'static str]) -> Self {
        Self { bare, ..self }
    }

    const fn of(self, class: Class) -> Self {
        Self { class, ..self }
    }
}

/// Every scheme.
pub(super) const SCHEMES: &[Scheme] = &[
    scheme(
        "us-social-security-number",
        &["999999999"],
        check::ssn,
        &["ssn", "social security", "soc sec"],
        "US Social Security Administration, number randomization",
    )
    .bare(&["999-99-9999"])
    .of(SSN)
    .strict(),
    scheme(
        "us-individual-taxpayer-number",
        &["999999999"],
        check::none,
        &["itin", "individual taxpayer identification"],
        "US Internal Revenue Service, Publication 1915",
    ),
    scheme(
        "ca-social-insurance-number",
        &["999999999"],
        check::sin,
        &["sin"],
        "Employment and Social Development Canada, Social Insurance Number",
    )
    .of(SIN)
    .strict(),
    scheme(
        "ca-social-insurance-number-spelled",
        &["999999999"],
        check::none,
        &["social insurance", "assurance sociale"],
        "Employment and Social Development Canada, Social Insurance Number",
    )
    .of(SIN),
    scheme(
        "gb-national-insurance-number",
        &["AA999999A"],
        check::nino,
        &["nino", "national insurance", "ni number", "ni no", "nin"],
        "HM Revenue and Customs, National Insurance Manual NIM39110",
    )
    .strict(),
    scheme(
        "gb-nhs-number",
        &["9999999999"],
        check::nhs,
        &["nhs number", "nhs no", "nhs"],
        "NHS Data Dictionary, NHS number",
    )
    .strict(),
    scheme(
        "gb-unique-taxpayer-reference",
        &["9999999999"],
        check::none,
        &["utr number", "unique taxpayer reference"],
        "HM Revenue and Customs, Unique Taxpayer Reference",
    ),
    scheme(
        "ie-personal-public-service-number",
        &["9999999A", "9999999AA"],
        check::none,
        &["pps number", "pps no", "ppsn", "personal public service"],
        "Department of Social Protection, PPS number",
    ),
    scheme(
        "fr-social-security-number",
        &["999999999999999", "99999XX99999999", "9999999999999"],
        check::none,
        &[
            "nir",
            "numero de securite sociale",
            "sécurité sociale",
            "insee",
            "n° de sécu",
        ],
        "INSEE, numéro d'inscription au répertoire",
    ),
    scheme(
        "fr-social-security-number-checked",
        &["999999999999999"],
        check::nir,
        &[],
        "INSEE, numéro d'inscription au répertoire",
    )
    .bare(&["999999999999999", "9 99 99 99 999 999 99"]),
    scheme(
        "fr-tax-number",
        &["9999999999999"],
        check::none,
        &["numero fiscal", "spi"],
        "Direction générale des Finances publiques, numéro fiscal",
    ),
    scheme(
        "de-tax-identification-number",
        &["99999999999"],
        check::none,
        &[
            "steuer-id",
            "steueridentifikationsnummer",
            "steuer id",
            "steuerid",
            "idnr",
            "steuer-idnr",
            "tax id",
            "steuerliche identifikationsnummer",
        ],
        "Bundeszentralamt für Steuern, steuerliche Identifikationsnummer",
    ),
    scheme(
        "de-social-insurance-number",
        &["99999999A999"],
        check::none,
        &[
            "sozialversicherungsnummer",
            "rentenversicherungsnummer",
            "sv-nummer",
            "svnr",
            "rvnr",
            "versicherungsnummer",
        ],
        "Deutsche Rentenversicherung, Versicherungsnummer",
    ),
    scheme(
        "de-identity-card-number",
        &["XXXXXXXXX", "XXXXXXXXX9"],
        check::none,
        &["personalausweisnummer", "personalausweis", "ausweisnummer"],
        "Bundesministerium des Innern, Personalausweis",
    ),
    scheme(
        "at-social-insurance-number",
        &["9999999999"],
        check::none,
        &["sozialversicherungsnummer", "svnr", "sv-nummer"],
        "Dachverband der Sozialversicherungsträger, Versicherungsnummer",
    ),
    scheme(
        "ch-social-insurance-number",
        &["9999999999999"],
        check::swiss,
        &["ahv", "avs", "ahv-nummer", "ahvn13", "navs13"],
        "Central Compensation Office of Switzerland, AHVN13",
    )
    .bare(&["756.9999.9999.99"])
    .strict(),
    scheme(
        "es-identity-number",
        &["99999999A"],
        check::spanish,
        &["dni", "nif", "documento nacional de identidad"],
        "Ministerio del Interior, Documento Nacional de Identidad",
    ),
    scheme(
        "es-foreigner-number",
        &["A9999999A"],
        check::spanish,
        &["nie", "nif", "número de identidad de extranjero"],
        "Ministerio del Interior, Número de Identidad de Extranjero",
    ),
    scheme(
        "es-social-security-number",
        &["999999999999"],
        check::none,
        &[
            "naf",
            "número de la seguridad social",
            "seguridad social",
            "nuss",
        ],
        "Seguridad Social, número de afiliación",
    ),
    scheme(
        "pt-tax-number",
        &["999999999"],
        check::none,
        &["nif", "número de contribuinte", "nipc"],
        "Autoridade Tributária e Aduaneira, número de identificação fiscal",
    ),
    scheme(
        "it-fiscal-code",
        &["AAAAAAXXAXXAXXXA"],
        check::none,
        &["codice fiscale", "cod fisc", "c.f.", "fiscal code", "cf"],
        "Agenzia delle Entrate, codice fiscale",
    ),
    scheme(
        "it-fiscal-code-checked",
        &["AAAAAA99A99A999A"],
        check::italian,
        &[],
        "Agenzia delle Entrate, codice fiscale",
    )
    .bare(&["AAAAAA99A99A999A"]),
    scheme(
        "nl-citizen-service-number",
        &["999999999", "99999999"],
        check::bsn,
        &["bsn", "burgerservicenummer", "sofinummer", "sofi-nummer"],
        "Rijksdienst voor Identiteitsgegevens, burgerservicenummer",
    ),
    scheme(
        "be-national-number",
        &["99999999999"],
        check::none,
        &[
            "rijksregisternummer",
            "rijksregister",
            "registre national",
            "insz",
            "niss",
        ],
        "Rijksregister, identificatienummer",
    ),
    scheme(
        "lu-identification-number",
        &["9999999999999"],
        check::none,
        &["matricule"],
        "Centre commun de la sécurité sociale, matricule",
    ),
    scheme(
        "dk-civil-registration-number",
        &["9999999999"],
        check::none,
        &["cpr", "cpr-nummer", "cpr-nr", "cprnr", "personnummer"],
        "CPR-kontoret, personnummeret",
    ),
    scheme(
        "se-personal-identity-number",
        &["9999999999", "999999999999"],
        check::none,
        &["personnummer", "personnr", "pnr", "samordningsnummer"],
        "Skatteverket, personnummer",
    ),
    scheme(
        "no-national-identity-number",
        &["99999999999"],
        check::none,
        &[
            "fødselsnummer",
            "fodselsnummer",
            "fnr",
            "personnummer",
            "d-nummer",
        ],
        "Skatteetaten, fødselsnummer",
    ),
    scheme(
        "fi-personal-identity-code",
        &["999999999X", "999999A999X"],
        check::none,
        &["henkilötunnus", "henkilotunnus", "hetu", "personbeteckning"],
        "Digital and Population Data Services Agency, personal identity code",
    ),
    scheme(
        "fi-personal-identity-code-checked",
        &["999999999X"],
        check::finnish,
        &[],
        "Digital and Population Data Services Agency, personal identity code",
    )
    .bare(&["999999-999X"]),
    scheme(
        "is-identification-number",
        &["9999999999"],
        check::none,
        &["kennitala"],
        "Registers Iceland, kennitala",
    ),
    scheme(
        "ee-personal-code",
        &["99999999999"],
        check::none,
        &["isikukood", "asmens kodas"],
        "Population registers of Estonia and Lithuania, personal code",
    ),
    scheme(
        "lv-personal-code",
        &["99999999999"],
        check::none,
        &["personas kods"],
        "Office of Citizenship and Migration Affairs, personas kods",
    ),
    scheme(
        "pl-personal-number",
        &["99999999999"],
        check::pesel,
        &["pesel"],
        "Ministerstwo Cyfryzacji, numer PESEL",
    ),
    scheme(
        "pl-identity-card-number",
        &["AAA999999"],
        check::none,
        &["osobisty", "numer dowodu", "nr dowodu"],
        "Ministerstwo Spraw Wewnętrznych i Administracji, dowód osobisty",
    ),
    scheme(
        "cz-birth-number",
        &["9999999999", "999999999"],
        check::none,
        &["rodné číslo", "rodne cislo", "rč"],
        "Ministries of the Interior of Czechia and Slovakia, rodné číslo",
    ),
    scheme(
        "hu-identity-numbers",
        &["999999999", "9999999999", "99999999999"],
        check::none,
        &[
            "taj szám",
            "taj-szám",
            "taj",
            "adóazonosító",
            "személyi szám",
        ],
        "Nemzeti Adó- és Vámhivatal, adóazonosító jel",
    ),
    scheme(
        "ro-personal-code",
        &["9999999999999"],
        check::none,
        &["cnp", "cod numeric personal"],
        "Direcția Generală pentru Evidența Persoanelor, codul numeric personal",
    ),
    scheme(
        "bg-civil-number",
        &["9999999999"],
        check::none,
        &["егн", "egn"],
        "Directorate General Civil Registration, единен граждански номер",
    ),
    scheme(
        "hr-personal-number",
        &["99999999999"],
        check::none,
        &["oib", "osobni identifikacijski broj"],
        "Porezna uprava, osobni identifikacijski broj",
    ),
    scheme(
        "rs-citizen-number",
        &["9999999999999"],
        check::none,
        &["jmbg", "emšo", "emso", "јмбг"],
        "Registers of the successor states of Yugoslavia, jedinstveni matični broj građana",
    ),
    scheme(
        "gr-social-security-number",
        &["99999999999"],
        check::none,
        &["amka", "αμκα"],
        "IDIKA, ΑΜΚΑ",
    ),
    scheme(
        "gr-tax-number",
        &["999999999"],
        check::none,
        &["afm", "αφμ"],
        "Independent Authority for Public Revenue, ΑΦΜ",
    ),
    scheme(
        "tr-identity-number",
        &["99999999999"],
        check::none,
        &[
            "tc kimlik",
            "t.c. kimlik",
            "tckn",
            "kimlik no",
            "kimlik numarası",
        ],
        "Nüfus ve Vatandaşlık İşleri, T.C. kimlik numarası",
    ),
    scheme(
        "ru-insurance-number",
        &["99999999999"],
        check::none,
        &["снилс", "snils"],
        "Social Fund of Russia, СНИЛС",
    ),
    scheme(
        "ru-taxpayer-number",
        &["999999999999"],
        check::none,
        &["инн"],
        "Federal Tax Service of Russia, ИНН",
    ),
    scheme(
        "ru-passport-number",
        &["9999999999"],
        check::none,
        &["паспорт", "серия и номер"],
        "Ministry of Internal Affairs of Russia, паспорт гражданина",
    ),
    scheme(
        "ua-taxpayer-number",
        &["9999999999"],
        check::none,
        &["рнокпп", "іпн", "rnokpp"],
        "State Tax Service of Ukraine, РНОКПП",
    ),
    scheme(
        "br-person-number",
        &["99999999999"],
        check::cpf,
        &["cpf"],
        "Receita Federal, Cadastro de Pessoas Físicas",
    ),
    scheme(
        "br-company-number",
        &["99999999999999"],
        check::cnpj,
        &["cnpj"],
        "Receita Federal, Cadastro Nacional da Pessoa Jurídica",
    ),
    scheme(
        "br-social-number",
        &["99999999999"],
        check::none,
        &["pis/pasep", "pis", "nis", "pasep"],
        "Caixa Econômica Federal, PIS/PASEP",
    ),
    scheme(
        "mx-population-key",
        &["AAAA999999AAAAAAX9"],
        check::curp,
        &["curp"],
        "Registro Nacional de Población, CURP",
    )
    .bare(&["AAAA999999AAAAAAX9"]),
    scheme(
        "mx-taxpayer-key",
        &["AAAA999999XXX", "AAA999999XXX"],
        check::none,
        &["rfc"],
        "Servicio de Administración Tributaria, RFC",
    ),
    scheme(
        "mx-social-security-number",
        &["99999999999"],
        check::none,
        &[
            "nss",
            "número de seguridad social",
            "numero de seguridad social",
        ],
        "Instituto Mexicano del Seguro Social, número de seguridad social",
    ),
    scheme(
        "ar-tax-number",
        &["99999999999"],
        check::cuit,
        &["cuit", "cuil"],
        "Agencia de Recaudación y Control Aduanero, CUIT y CUIL",
    )
    .bare(&["99-99999999-9"]),
    scheme(
        "ar-identity-number",
        &["99999999", "9999999"],
        check::none,
        &["dni", "documento de identidad"],
        "Registro Nacional de las Personas, DNI",
    ),
    scheme(
        "cl-national-number",
        &["99999999X", "9999999X"],
        check::none,
        &[
            "rut",
            "rol único tributario",
            "rol unico tributario",
            "cédula de identidad",
        ],
        "Servicio de Registro Civil e Identificación, RUN",
    ),
    scheme(
        "co-citizen-card",
        &["9999999999", "99999999"],
        check::none,
        &[
            "cédula",
            "cedula",
            "cédula de ciudadanía",
            "cedula de ciudadania",
        ],
        "Registraduría Nacional del Estado Civil, cédula de ciudadanía",
    ),
    scheme(
        "in-aadhaar-number",
        &["999999999999"],
        check::aadhaar,
        &["aadhaar", "aadhar", "आधार"],
        "Unique Identification Authority of India, Aadhaar",
    )
    .bare(&["9999 9999 9999"]),
    scheme(
        "in-permanent-account-number",
        &["AAAAA9999A"],
        check::none,
        &["pan", "permanent account number"],
        "Income Tax Department of India, PAN",
    ),
    scheme(
        "pk-identity-number",
        &["9999999999999"],
        check::none,
        &["cnic", "nadra"],
        "National Database and Registration Authority, CNIC",
    ),
    scheme(
        "cn-identity-number",
        &["99999999999999999X"],
        check::none,
        &[
            "身份证号码",
            "身份证号",
            "身份证",
            "身分證",
            "公民身份号码",
            "id card no",
        ],
        "Ministry of Public Security of China, GB 11643",
    ),
    scheme(
        "cn-identity-number-checked",
        &["99999999999999999X"],
        check::chinese,
        &[],
        "Ministry of Public Security of China, GB 11643",
    )
    .bare(&["99999999999999999X"]),
    scheme(
        "tw-identity-number",
        &["A999999999"],
        check::none,
        &["身分證字號", "身分證", "身份證字號", "統一編號"],
        "Ministry of the Interior of Taiwan, 國民身分證統一編號",
    ),
    scheme(
        "hk-identity-card",
        &["A999999X", "AA999999X"],
        check::none,
        &["hkid", "身份證號碼", "hong kong identity card"],
        "Immigration Department of Hong Kong, identity card",
    ),
    scheme(
        "jp-individual-number",
        &["999999999999"],
        check::none,
        &["マイナンバー", "個人番号", "my number", "mynumber"],
        "Digital Agency of Japan, Individual Number",
    ),
    scheme(
        "kr-resident-registration-number",
        &["9999999999999"],
        check::korean,
        &[
            "주민등록번호",
            "주민번호",
            "rrn",
            "resident registration",
            "외국인등록번호",
        ],
        "Ministry of the Interior and Safety of Korea, resident registration number",
    )
    .bare(&["999999-9999999"]),
    scheme(
        "sg-identity-number",
        &["A9999999A"],
        check::singaporean,
        &["nric", "nric/fin", "fin number", "fin no"],
        "Immigration and Checkpoints Authority of Singapore, NRIC and FIN",
    ),
    scheme(
        "my-identity-card-number",
        &["999999999999"],
        check::none,
        &["mykad", "no. kad pengenalan", "kad pengenalan", "nric"],
        "Jabatan Pendaftaran Negara, MyKad",
    ),
    scheme(
        "id-identity-number",
        &["9999999999999999"],
        check::none,
        &["nik", "nomor ktp", "no ktp", "ktp"],
        "Direktorat Jenderal Dukcapil, Nomor Induk Kependudukan",
    ),
    scheme(
        "th-identity-number",
        &["9999999999999"],
        check::none,
        &["เลขประจำตัวประชาชน", "บัตรประชาชน"],
        "Department of Provincial Administration of Thailand, identification number",
    ),
    scheme(
        "vn-citizen-number",
        &["999999999999"],
        check::none,
        &["cccd", "căn cước", "cmnd"],
        "Ministry of Public Security of Vietnam, căn cước công dân",
    ),
    scheme(
        "ph-identity-numbers",
        &["9999999999", "999999999999"],
        check::none,
        &["sss number", "sss no", "philhealth", "umid", "philsys"],
        "Philippine Statistics Authority, PhilSys; Social Security System",
    ),
    scheme(
        "au-tax-file-number",
        &["999999999", "99999999"],
        check::none,
        &["tfn", "tax file number", "tax file no"],
        "Australian Taxation Office, tax file number",
    ),
    scheme(
        "au-medicare-number",
        &["9999999999", "99999999999"],
        check::none,
        &["medicare", "medicare number", "medicare card"],
        "Services Australia, Medicare card number",
    ),
    scheme(
        "nz-inland-revenue-number",
        &["999999999", "99999999"],
        check::none,
        &["ird", "ird number", "ird no"],
        "Inland Revenue of New Zealand, IRD number",
    ),
    scheme(
        "us-medicare-beneficiary-identifier",
        &["9AXX9AX9AA99", "9AX9AX9AA99"],
        check::none,
        &["mbi", "medicare beneficiary", "medicare"],
        "Centers for Medicare and Medicaid Services, MBI format",
    ),
    scheme(
        "il-identity-number",
        &["999999999"],
        check::none,
        &["teudat zehut", "תעודת זהות", "ת.ז", "ת\"ז"],
        "Population and Immigration Authority of Israel, identity number",
    ),
    scheme(
        "za-identity-number",
        &["9999999999999"],
        check::none,
        &["rsa id", "sa id number", "south african id"],
        "Department of Home Affairs of South Africa, identity number",
    ),
    scheme(
        "ng-identity-number",
        &["99999999999"],
        check::none,
        &[
            "nin",
            "bvn",
            "national identification number",
            "bank verification number",
        ],
        "National Identity Management Commission of Nigeria, NIN; Central Bank of Nigeria, BVN",
    ),
    scheme(
        "ae-emirates-identity-number",
        &["999999999999999"],
        check::none,
        &["emirates id", "رقم الهوية"],
        "Federal Authority for Identity of the United Arab Emirates, Emirates ID",
    ),
    scheme(
        "sa-identity-number",
        &["9999999999"],
        check::none,
        &["iqama", "رقم الهوية"],
        "Ministry of Interior of Saudi Arabia, national ID and Iqama",
    ),
    scheme(
        "passport-number",
        &["XXXXXXXXX", "XXXXXXXX", "XXXXXXX"],
        check::none,
        &[
            "passport number",
            "passport no",
            "passport nr",
            "passport #",
            "passnummer",
            "reisepassnummer",
            "n° de passeport",
            "número de pasaporte",
            "numero passaporto",
            "paspoortnummer",
            "护照号码",
            "护照号",
            "旅券番号",
            "여권번호",
        ],
        "ICAO Doc 9303, part 4",
    ),
    scheme(
        "driving-licence-number",
        &[
            "XXXXXXXXXXXXXXXX",
            "XXXXXXXXXXXXXXX",
            "XXXXXXXXXXXXX",
            "XXXXXXXXXXX",
            "XXXXXXXXX",
            "XXXXXXXX",
        ],
        check::none,
        &[
            "driver's license number",
            "drivers license number",
            "driver license number",
            "driving licence number",
            "driver's license no",
            "driving licence no",
            "driver's licence number",
            "führerscheinnummer",
            "permis de conduire n°",
        ],
        "AAMVA DL/ID Card Design Standard; DVLA, driver number",
    ),
];
