//! Passages of a trace.

use std::fmt::Write as _;

use super::words::{
    COMMANDS, LEVELS, MODULES, NOUNS, PACKAGES, PROSE, camel, hex, path, pick, run, snake, time,
    uuid,
};
use crate::random::Random;

/// Writes one passage of a kind of chance, ending in a newline.
///
/// The weights follow what coding sessions consist of: mostly files that were read, then output
/// of tools, then logs and events, and little prose.
pub fn write(out: &mut String, random: &mut Random) {
    match random.below(20) {
        0..=3 => rust(out, random),
        4..=5 => python(out, random),
        6..=7 => typescript(out, random),
        8..=9 => diff(out, random),
        10..=12 => log(out, random),
        13..=14 => shell(out, random),
        15..=16 => {
            event(out, random);
            out.push('\n');
        }
        17 => stack(out, random),
        18 => lock(out, random),
        _ => prose(out, random),
    }
}

fn say(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

fn rust(out: &mut String, random: &mut Random) {
    let (function, name, noun) = (snake(random), snake(random), pick(&NOUNS, random));
    let module = pick(&MODULES, random);
    say(
        out,
        &format!("/// Returns the {noun} that `{name}` left behind."),
    );
    say(
        out,
        &format!(
            "pub(crate) fn {function}({noun}: &{module}::Options, limit: usize) -> Result<Vec<u8>, Error> {{"
        ),
    );
    for _ in 0..2 + random.below(8) {
        let (left, right) = (snake(random), camel(random));
        let number = random.below(4096);
        let line = match random.below(6) {
            0 => format!("    let {left} = self.{right}.get(&{noun})?.to_owned();"),
            1 => format!(
                "    if {left}.len() > {number} && !{noun}.is_empty() {{ return Err(Error::Limit({number})); }}"
            ),
            2 => format!("    {left}.extend({noun}.iter().map(|item| item.{left} + {number}));"),
            3 => format!("    assert_eq!({left}[{number}..], *\"{noun}: {module}\", \"{right}\");"),
            4 => format!("    // {left} is at most {number}, since {right} rounds down."),
            _ => format!(
                "    for (at, key) in {left}.keys().enumerate().take({number}) {{ {right}(at, key); }}"
            ),
        };
        say(out, &line);
    }
    say(out, "    Ok(output)\n}\n");
}

fn python(out: &mut String, random: &mut Random) {
    let (function, noun) = (snake(random), pick(&NOUNS, random));
    say(
        out,
        &format!("    def {function}(self, {noun}, *, max_tokens=4096, api_key=None):"),
    );
    for _ in 0..2 + random.below(8) {
        let (left, right) = (snake(random), snake(random));
        let line = match random.below(6) {
            0 => format!(
                "        {left} = os.environ.get(\"{}_URL\", \"\")",
                left.to_uppercase()
            ),
            1 => format!(
                "        logger.info(\"%s: {right} took %.2f s\", {noun}, time.monotonic() - start)"
            ),
            2 => format!(
                "        with open(self.root / \"{right}.json\", encoding=\"utf-8\") as file:"
            ),
            3 => format!(
                "        {left} = {{\"{right}\": {noun}, \"limit\": {}}}",
                random.below(1000)
            ),
            4 => format!(
                "        if not isinstance({left}, {}): raise TypeError(f\"{{{left}!r}}\")",
                camel(random)
            ),
            _ => format!("        return [{right}({noun}, key=item) for item in {left}.values()]"),
        };
        say(out, &line);
    }
    out.push('\n');
}

fn typescript(out: &mut String, random: &mut Random) {
    let (function, noun) = (camel(random), pick(&NOUNS, random));
    say(
        out,
        &format!(
            "export async function {function}({noun}: string, token: CancelToken): Promise<void> {{"
        ),
    );
    for _ in 0..2 + random.below(7) {
        let (left, right) = (camel(random), camel(random));
        let line = match random.below(5) {
            0 => format!(
                "  const {left} = await this.{right}({noun}, {{ signal, retries: {} }});",
                random.below(9)
            ),
            1 => format!(
                "  expect(screen.getByText('{}')).toBeInTheDocument();",
                pick(&PROSE[..5], random)
            ),
            2 => format!(
                "  if (!{left}?.{right}) throw new Error(`no ${{{noun}}} in ${{{left}.id}}`);"
            ),
            3 => format!(
                "  <Button onClick={{() => {left}({noun})}} className=\"btn btn-primary mt-{}\">",
                random.below(8)
            ),
            _ => format!(
                "  import {{ {left}, {right} }} from '../{}/{noun}';",
                pick(&MODULES, random)
            ),
        };
        say(out, &line);
    }
    say(out, "}\n");
}

fn diff(out: &mut String, random: &mut Random) {
    let path = path(random);
    say(
        out,
        &format!(
            "diff --git a/{path} b/{path}\nindex {}..{} 100644",
            hex(10, random),
            hex(10, random)
        ),
    );
    let line = random.below(900);
    say(
        out,
        &format!(
            "--- a/{path}\n+++ b/{path}\n@@ -{line},7 +{line},9 @@ fn {}()",
            snake(random)
        ),
    );
    for _ in 0..4 + random.below(10) {
        let mark = pick(&[" ", " ", "-", "+", "+"], random);
        say(
            out,
            &format!(
                "{mark}        {}.{}({}, {});",
                pick(&NOUNS, random),
                snake(random),
                pick(&NOUNS, random),
                random.below(100)
            ),
        );
    }
}

fn log(out: &mut String, random: &mut Random) {
    for _ in 0..4 + random.below(14) {
        let (level, module) = (pick(&LEVELS, random), pick(&MODULES, random));
        let (time, number) = (time(random), random.below(100_000));
        let line = match random.below(6) {
            0 => format!(
                "{time} {level} {module}: {} finished duration_ms={number} rows={}",
                snake(random),
                random.below(500)
            ),
            1 => format!(
                "{time} {level} {module} request_id={} status=200 path=/api/v1/{}/{number}",
                uuid(random),
                pick(&NOUNS, random)
            ),
            2 => format!(
                "10.0.{}.{} - - [12/Mar/2026:10:{:02}:07 +0000] \"GET /static/{}.{}.js HTTP/1.1\" 200 {number}",
                random.below(255),
                random.below(255),
                random.below(60),
                pick(&NOUNS, random),
                hex(8, random)
            ),
            3 => format!(
                "[{time}] [{level}] {module}: usage prompt_tokens={number} completion_tokens={} total_tokens={number}",
                random.below(4000)
            ),
            4 => format!(
                "{level:5} [{module}-worker-{}] c.a.{module}.{}: retrying in {number} ms (attempt {} of 5)",
                random.below(16),
                camel(random),
                random.below(5)
            ),
            _ => format!(
                "\u{1b}[2m{time}\u{1b}[0m \u{1b}[32m {level}\u{1b}[0m {module}::{}: {}",
                pick(&NOUNS, random),
                pick(&PROSE, random)
            ),
        };
        say(out, &line);
    }
}

fn shell(out: &mut String, random: &mut Random) {
    say(
        out,
        &format!("$ {} {}", pick(&COMMANDS, random), pick(&MODULES, random)),
    );
    for _ in 0..3 + random.below(12) {
        let (path, number) = (path(random), random.below(100_000));
        let line = match random.below(7) {
            0 => format!(
                "-rw-r--r-- 1 dev dev {number:>8} Mar 12 10:{:02} {path}",
                random.below(60)
            ),
            1 => format!(
                "{path}:{number}:    {}({})",
                snake(random),
                pick(&NOUNS, random)
            ),
            2 => format!(
                "   Compiling {} v{}.{}.{}",
                pick(&PACKAGES, random),
                random.below(4),
                random.below(30),
                random.below(20)
            ),
            3 => format!("test {}::{} ... ok", pick(&MODULES, random), snake(random)),
            4 => format!(
                "{} {} {}",
                hex(7, random),
                snake(random).replace('_', " "),
                pick(&NOUNS, random)
            ),
            5 => format!(
                "{}-{}-{}   1/1     Running   0          {}h",
                pick(&MODULES, random),
                hex(9, random),
                run("bcdfghjklmnpqrstvwxz2456789", 5, random),
                random.below(90)
            ),
            _ => format!(" M {path}"),
        };
        say(out, &line);
    }
}

/// Writes one event in JSON without a newline.
pub fn event(out: &mut String, random: &mut Random) {
    let _ = write!(
        out,
        "{{\"id\":\"{}\",\"type\":\"tool_result\",\"ts\":\"{}\",\"tool\":\"Bash\",\"input\":{{\"command\":\"{} {}\",\"timeout\":{}}},",
        uuid(random),
        time(random),
        pick(&COMMANDS, random),
        pick(&NOUNS, random),
        random.below(120_000)
    );
    let mut output = String::new();
    match random.below(3) {
        0 => python(&mut output, random),
        1 => log(&mut output, random),
        _ => shell(&mut output, random),
    }
    let output = output
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace('\u{1b}', "\\u001b");
    let _ = write!(
        out,
        "\"output\":\"{output}\",\"is_error\":false,\"usage\":{{\"input_tokens\":{},\"output_tokens\":{},\"cache_key\":null}}}}",
        random.below(9000),
        random.below(900)
    );
}

fn stack(out: &mut String, random: &mut Random) {
    let python = random.below(2) == 0;
    say(
        out,
        if python {
            "Traceback (most recent call last):"
        } else {
            "java.lang.IllegalStateException: the session is closed"
        },
    );
    for _ in 0..4 + random.below(10) {
        let line = random.below(900);
        if python {
            say(
                out,
                &format!(
                    "  File \"/srv/app/{}\", line {line}, in {}\n    {}({})",
                    path(random),
                    snake(random),
                    snake(random),
                    pick(&NOUNS, random)
                ),
            );
        } else {
            let module = pick(&MODULES, random);
            say(
                out,
                &format!(
                    "\tat com.acme.{module}.{}.{}({}.java:{line})",
                    pick(&NOUNS, random),
                    camel(random),
                    camel(random)
                ),
            );
        }
    }
    if python {
        say(out, &format!("KeyError: '{}'", pick(&NOUNS, random)));
    }
}

fn lock(out: &mut String, random: &mut Random) {
    for _ in 0..2 + random.below(4) {
        say(
            out,
            &format!(
                "[[package]]\nname = \"{}\"\nversion = \"{}.{}.{}\"\nchecksum = \"{}\"\n",
                pick(&PACKAGES, random),
                random.below(4),
                random.below(30),
                random.below(20),
                hex(64, random)
            ),
        );
    }
}

fn prose(out: &mut String, random: &mut Random) {
    for _ in 0..2 + random.below(5) {
        say(out, pick(&PROSE, random));
    }
    out.push('\n');
}
