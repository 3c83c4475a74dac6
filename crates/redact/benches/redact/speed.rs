//! Throughput, latency and allocations on traces, streams and documents.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use aho_corasick::{AhoCorasick, AhoCorasickKind, packed};
use precedent_redact::Redactor;

use crate::figure::{Figure, Target};
use crate::measure::Samples;
use crate::random::Random;
use crate::trace;
use crate::turns::{in_turns, rate, thread_time};

type Figures = Result<Vec<Figure>, Box<dyn Error>>;

const KIB: usize = 1024;
/// Bytes of all traces of one size.
const TOTAL: usize = 2 * KIB * KIB;
const ROUNDS: usize = 21;
/// Calls for each trace of the latency.
const CALLS: usize = 8;
/// Pieces of a stream in bytes.
const PIECE: usize = 64 * KIB;
/// MB/s; the goal is 250.
const THROUGHPUT: Target = Target::AtLeast(150.0);
/// Microseconds.
const MEDIAN: Target = Target::AtMost(15.0);
const P99: Target = Target::AtMost(150.0);

/// Case-sensitive beginnings of vendors' tokens, for the literal scans that we compare with.
const PREFIXES: [&str; 40] = [
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "AKIA",
    "ASIA",
    "xoxb-",
    "xoxp-",
    "xapp-",
    "sk_live_",
    "rk_live_",
    "sk-ant-",
    "sk-proj-",
    "npm_",
    "pypi-",
    "dop_v1_",
    "SG.",
    "AIza",
    "ya29.",
    "eyJ",
    "shpat_",
    "hvs.",
    "hf_",
    "dckr_pat_",
    "lin_api_",
    "ntn_",
    "secret_",
    "figd_",
    "NRAK-",
    "glsa_",
    "PMAK-",
    "dapi",
    "sq0csp-",
    "EAAA",
    "key-",
    "-----BEGIN",
    "PRIVATE KEY",
];

/// Measures traces of each size beside scans and a copy of the same bytes.
pub fn throughputs(sizes: &[usize], random: &mut Random) -> Figures {
    let each: Result<Vec<_>, _> = sizes.iter().map(|size| throughput(*size, random)).collect();
    Ok(each?.concat())
}

fn throughput(size: usize, random: &mut Random) -> Figures {
    let texts = texts(size, random);
    let redactor = Redactor::new();
    let teddy = packed::Searcher::new(PREFIXES).ok_or("this processor has no packed searcher")?;
    let dfa = AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::DFA))
        .prefilter(false)
        .build(PREFIXES)?;
    let mut buffer = vec![0; size];
    let mut ours = || each(&texts, |text| drop(black_box(redactor.redact(text))));
    let mut packed = || each(&texts, |text| _ = black_box(teddy.find_iter(text).count()));
    let mut automaton = || each(&texts, |text| _ = black_box(dfa.find_iter(text).count()));
    let mut absent = || {
        each(&texts, |text| {
            _ = black_box(memchr::memchr(1, text.as_bytes()));
        });
    };
    let mut copy = || {
        each(&texts, |text| {
            buffer[..text.len()].copy_from_slice(text.as_bytes());
            black_box(&mut buffer);
        });
    };
    let tasks: &mut [&mut dyn FnMut()] = &mut [
        &mut ours,
        &mut packed,
        &mut automaton,
        &mut absent,
        &mut copy,
    ];
    let medians: Vec<f64> = in_turns(ROUNDS, tasks)?
        .iter()
        .map(Samples::median)
        .collect();
    let bytes = texts.iter().map(String::len).sum();
    let name = format!("  traces of {} KiB", size / KIB);
    let mut figures = vec![Figure::new(name, rate(bytes, medians[0]), "MB/s").target(THROUGHPUT)];
    let others = [
        "literal scan, Teddy",
        "literal scan, DFA",
        "memchr of an absent byte",
        "copy",
    ];
    for (name, median) in others.iter().zip(&medians[1..]) {
        let name = format!("    {name} ({:.0} MB/s) is faster by", rate(bytes, *median));
        figures.push(Figure::new(name, medians[0] / median, "x"));
    }
    Ok(figures)
}

/// Measures single calls on traces of 2 KiB.
pub fn latency(random: &mut Random) -> Figures {
    let texts = texts(2 * KIB, random);
    let redactor = Redactor::new();
    let (mut wall, mut cpu) = (Samples::default(), Samples::default());
    for _ in 0..CALLS {
        for text in &texts {
            let (clock, begun) = (Instant::now(), thread_time()?);
            drop(black_box(redactor.redact(text)));
            cpu.push(thread_time()?.saturating_sub(begun));
            wall.push(clock.elapsed());
        }
    }
    let figure =
        |name: &str, samples: &Samples, p| Figure::new(name, samples.percentile(p) * 1e3, "us");
    Ok(vec![
        figure("  p50", &cpu, 0.5).target(MEDIAN),
        figure("  p99", &cpu, 0.99).target(P99),
        figure("  p50 on the wall clock", &wall, 0.5),
        figure("  p99 on the wall clock", &wall, 0.99),
    ])
}

/// Counts the allocations on clean traces.
pub fn allocations(sizes: &[usize], random: &mut Random) -> Figures {
    let redactor = Redactor::new();
    let (mut traces, mut planted, mut missed) = (0, 0, 0);
    let mut counts: Vec<u64> = Vec::new();
    for size in sizes {
        for (text, has_secret) in trace::traces(*size, TOTAL / size, random) {
            traces += 1;
            planted += u32::from(has_secret);
            if !redactor.redact(&text).report.is_clean() {
                continue;
            }
            missed += u32::from(has_secret);
            let info = allocation_counter::measure(|| drop(black_box(redactor.redact(&text))));
            counts.push(info.count_total);
        }
    }
    counts.sort_unstable();
    let allocating = counts.iter().filter(|count| **count > 0).count();
    let middle = counts.get(counts.len() / 2).copied().unwrap_or_default();
    let most = counts.last().copied().unwrap_or_default();
    let none = Target::AtMost(0.0);
    let number = |name, count: u32| Figure::new(name, count.into(), "");
    Ok(vec![
        number("  traces", traces),
        number("  with a planted secret", planted),
        number("  with one that is not found or cut away", missed),
        number("  clean", counts.len().try_into()?),
        number("  clean that allocate", allocating.try_into()?).target(none),
        number("  allocations, median clean trace", middle.try_into()?).target(none),
        number("  allocations, worst clean trace", most.try_into()?).target(none),
    ])
}

/// Measures a long text as a stream in large pieces and line by line, and as a whole.
pub fn streams(random: &mut Random) -> Figures {
    let text = texts(16 * KIB, random).concat();
    let redactor = Redactor::new();
    let mut whole = || drop(black_box(redactor.redact(&text)));
    let mut pieces = || {
        let mut stream = redactor.stream();
        for piece in text.as_bytes().chunks(PIECE) {
            drop(black_box(stream.push_bytes(piece)));
        }
        drop(black_box(stream.finish()));
    };
    let mut lines = || {
        let mut stream = redactor.stream();
        for line in text.split_inclusive('\n') {
            drop(black_box(stream.push(line)));
        }
        drop(black_box(stream.finish()));
    };
    let names = [
        "  2 MiB at once",
        "  stream, pieces of 64 KiB",
        "  stream, line by line",
    ];
    rates(
        &names,
        text.len(),
        &mut [&mut whole, &mut pieces, &mut lines],
    )
}

/// Measures JSON documents, small and large.
pub fn documents(random: &mut Random) -> Figures {
    let redactor = Redactor::new();
    let small: Vec<String> = (0..64).map(|_| trace::document(16 * KIB, random)).collect();
    let bytes: usize = small.iter().map(String::len).sum();
    let large = trace::document(bytes, random);
    let mut each_small = || {
        each(&small, |text| {
            drop(black_box(redactor.redact_json_text(text)));
        });
    };
    let mut one_large = || drop(black_box(redactor.redact_json_text(&large)));
    let mut figures = rates(&["  64 of 16 KiB"], bytes, &mut [&mut each_small])?;
    figures.extend(rates(
        &["  one of 1 MiB"],
        large.len(),
        &mut [&mut one_large],
    )?);
    Ok(figures)
}

fn rates(names: &[&str], bytes: usize, tasks: &mut [&mut dyn FnMut()]) -> Figures {
    let samples = in_turns(ROUNDS, tasks)?;
    let named = names.iter().zip(samples);
    Ok(named
        .map(|(name, samples)| Figure::new(*name, rate(bytes, samples.median()), "MB/s"))
        .collect())
}

fn texts(size: usize, random: &mut Random) -> Vec<String> {
    let traces = trace::traces(size, TOTAL / size, random);
    traces.into_iter().map(|(text, _)| text).collect()
}

fn each(texts: &[String], mut task: impl FnMut(&str)) {
    for text in texts {
        task(black_box(text));
    }
}
