//! Extractors that are Rust crates, one per run: see README.md for what every peer program prints and writes.
//!
//!     peers NAME SET OUT

use std::{fs, path::Path};

const WARM_UP: usize = 20; // pages that are extracted before the clock starts

/// The processor time of this program.
fn seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn rs_trafilatura(page: &[u8], url: Option<&str>) -> Option<String> {
    let options = rs_trafilatura::Options { url: url.map(str::to_string), ..Default::default() };
    rs_trafilatura::extract_bytes_with_options(page, &options).ok().map(|result| result.content_text)
}

fn dom_smoothie(page: &[u8], url: Option<&str>) -> Option<String> {
    let config = dom_smoothie::Config { text_mode: dom_smoothie::TextMode::Formatted, ..Default::default() };
    let html = String::from_utf8_lossy(page).into_owned();
    let article = dom_smoothie::Readability::new(html, url, Some(config)).ok()?.parse().ok()?;
    Some(article.text_content.to_string())
}

/// A tool that panics on a page has failed on it.
fn quietly(extract: fn(&[u8], Option<&str>) -> Option<String>, page: &[u8], url: Option<&str>) -> Option<String> {
    std::panic::catch_unwind(|| extract(page, url)).unwrap_or(None)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (name, set, out) = (arguments[1].as_str(), Path::new(&arguments[2]), Path::new(&arguments[3]));
    let extract = match name {
        "rs-trafilatura" => rs_trafilatura,
        "dom_smoothie" => dom_smoothie,
        _ => panic!("unknown tool"),
    };
    std::panic::set_hook(Box::new(|_| {}));
    let lines = fs::read_to_string(set.join("pages.jsonl")).unwrap();
    let pages: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let id = |page: &serde_json::Value| page["id"].as_str().unwrap().to_string();
    let loaded: Vec<(Vec<u8>, Option<&str>)> = pages.iter()
        .map(|p| (fs::read(set.join("html").join(id(p) + ".html")).unwrap(), p["url"].as_str()))
        .collect();
    for (page, url) in loaded.iter().take(WARM_UP) {
        quietly(extract, page, *url);
    }
    let start = seconds();
    let results: Vec<Option<String>> = loaded.iter().map(|(page, url)| quietly(extract, page, *url)).collect();
    let used = seconds() - start;
    fs::create_dir_all(out).unwrap();
    for (page, text) in pages.iter().zip(&results) {
        fs::write(out.join(id(page) + ".txt"), text.as_deref().unwrap_or("")).unwrap();
    }
    let lock = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock")).unwrap_or_default();
    let version = lock.split("[[package]]").find(|part| part.contains(&format!("name = \"{name}\"")))
        .and_then(|part| part.split("version = \"").nth(1)).and_then(|rest| rest.split('"').next()).unwrap_or("?");
    let failed = results.iter().filter(|text| text.is_none()).count();
    println!("{}", serde_json::json!({"name": name, "version": version, "pages": pages.len(), "seconds": used, "failed": failed}));
}
