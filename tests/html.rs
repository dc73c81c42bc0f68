//! The page that `--html` writes: what is in it, and how it behaves in a browser.
//!
//! The browser is Debian's chromium; where there is none, what needs it is skipped and that is said.

use std::path::Path;
use std::process::Command;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/async-programs");

/// Runs dbverify in the folder of the examples; gives the page.
fn page(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    let command = command.current_dir(EXAMPLES).args(args);
    let output = command.arg("--html").arg(&path).output().unwrap();
    assert!(output.status.code().is_some_and(|c| c < 2), "{output:?}");
    std::fs::read_to_string(path).unwrap()
}

/// The page of a program of one's own.
fn page_of(program: &str, args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.async");
    std::fs::write(&path, program).unwrap();
    page(&[&["explore", path.to_str().unwrap()], args].concat())
}

/// The data in a page.
fn data(page: &str) -> serde_json::Value {
    let begin = "<script type=\"application/json\" id=\"data\">";
    let (_, rest) = page.split_once(begin).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

const TIMER: [&str; 4] = ["explore", "timer_cancel_bug.async", "--delays", "1"];

#[test]
fn the_data_of_a_page() {
    let mut data = data(&page(&TIMER));
    data["files"] = serde_json::json!("…");
    data["seq"]["lines"] = serde_json::json!("…");
    data["seq"]["from"] = serde_json::json!("…");
    insta::assert_snapshot!(format!("{data:#}"));
}

#[test]
fn the_frame_of_a_page() {
    let page = page(&TIMER);
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    let (body, _) = body.split_once("<script").unwrap();
    insta::assert_snapshot!(format!("{head}{body}"));
}

#[test]
fn lines_of_the_sequential_program_lead_back() {
    let data = data(&page(&TIMER));
    let (lines, from) = (&data["seq"]["lines"], &data["seq"]["from"]);
    let source = data["files"][0]["lines"].as_array().unwrap();
    let mut linked = 0;
    for (line, from) in lines
        .as_array()
        .unwrap()
        .iter()
        .zip(from.as_array().unwrap())
    {
        let from = usize::try_from(from.as_u64().unwrap()).unwrap();
        let quoted = line.as_str().unwrap().trim().strip_prefix("// ");
        let quoted = quoted.filter(|_| from > 0).and_then(|q| q.split_once(": "));
        let Some((_, quoted)) = quoted.filter(|(n, _)| n.parse::<u32>().is_ok()) else {
            continue;
        };
        assert_eq!(source[from - 1].as_str().unwrap().trim(), quoted);
        linked += 1;
    }
    assert!(linked > 5);
}

#[test]
fn without_a_schedule_of_delays_there_is_no_sequential_program() {
    let page = page(&["explore", "lost_wakeup_bug.async"]);
    assert!(data(&page)["seq"].is_null());
    assert!(!page.contains("id=\"seq-box\""));
}

#[test]
fn a_safe_program_has_a_page_without_steps() {
    let page = page(&["explore", "lazy_init.async"]);
    assert!(page.contains("<title>lazy_init.async: safe</title>"));
    assert_eq!(data(&page)["steps"].as_array().unwrap().len(), 0);
}

/// Texts that would end an element, begin one, or be taken for a template.
const HOSTILE: &str = "// </script><script>document.title = 'broken'</script> {{js}} <!-- ü — 🦀 \u{2028}
type Mode = enum { Idle, Busy };
var mode: Mode := Idle;
proc set() { mode := Busy; }
proc main() { post set(); post set(); }
finally { assert mode == Idle, \"</script><script>document.title = 'broken'</script><img src=x onerror=alert(1)> & 'so'\"; }
";

#[test]
fn program_text_cannot_leave_its_place() {
    let page = page_of(HOSTILE, &[]);
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("<script").count(), 2);
    assert!(!page.contains("<img"));
    // The name space of SVG is a name, not an address.
    assert_eq!(
        page.matches("http").count(),
        1 + page.matches("http-equiv").count()
    );
    let first = data(&page)["files"][0]["lines"][0]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(first, HOSTILE.lines().next().unwrap());
}

#[test]
fn the_same_input_gives_the_same_page() {
    assert_eq!(page(&TIMER), page(&TIMER));
}

// ---- in a browser ----

fn browser() -> Option<&'static str> {
    let known = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    let found = known.into_iter().find(|p| Path::new(p).exists());
    if found.is_none() {
        eprintln!("note: there is no chromium; the page was not tried in a browser");
    }
    found
}

/// Loads a page with a script at its end; what the script leaves in `window.report` comes back, or what went wrong.
fn in_browser(page: &str, script: &str) -> Option<String> {
    let browser = browser()?;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let watch = "<script>window.problems = []; addEventListener('error', e => problems.push(e.message)); \
        addEventListener('securitypolicyviolation', e => problems.push(e.violatedDirective)); \
        const old = console.error; console.error = (...a) => { problems.push(a.join(' ')); old(...a); };</script>";
    let test = format!(
        "<script>(function () {{ let said; try {{ said = (function () {{ {script} }})(); }} catch (e) {{ said = 'threw ' + e; }}\
         const out = document.createElement('pre'); out.id = 'report'; out.textContent = problems.concat([said]).join('; ');\
         document.body.append(out); }})();</script></body>"
    );
    let page = page.replacen("<style>", &format!("{watch}<style>"), 1);
    let (before, after) = page.rsplit_once("</body>").unwrap();
    std::fs::write(&path, format!("{before}{test}{after}")).unwrap();
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1400,900",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .args(["--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("file://{}", path.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let report = dom.split("<pre id=\"report\">").nth(1);
    let report =
        report.unwrap_or_else(|| panic!("{}\n{dom}", String::from_utf8_lossy(&output.stderr)));
    Some(report.split("</pre>").next().unwrap().to_owned())
}

const HELPERS: &str = "
    const $ = (id) => document.getElementById(id);
    const key = (k, on) => (on || document.body).dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true, cancelable: true }));
    const want = (what, ok) => { if (!ok) throw what + ' / ' + $('status').textContent; };
    const step = () => Number($('slider').value);
    const total = Number($('slider').max);
";

fn assert_in_browser(page: &str, script: &str) {
    if let Some(report) = in_browser(page, &format!("{HELPERS}{script} return 'fine';")) {
        assert_eq!(report, "fine");
    }
}

#[test]
fn keys_and_mouse_step_through_the_page() {
    assert_in_browser(
        &page(&TIMER),
        "
        want('start', step() === 0 && /Before the first step/.test($('status').textContent));
        key('ArrowRight'); want('right', step() === 1 && /Step 1 of/.test($('status').textContent));
        want('line', document.querySelector('#source .here').textContent.includes('post timer_fires()'));
        key('ArrowDown'); key('ArrowLeft'); want('left', step() === 1);
        key('ArrowLeft', $('slider')); want('slider takes keys once', step() === 0);
        key('End'); want('end', step() === total && /fails/.test($('status').textContent));
        want('values at the end', /outcome = Cancelled/.test($('status').textContent));
        key('ArrowRight'); want('no further', step() === total);
        key('Home'); want('home', step() === 0);
        key('n'); want('next switch', step() === 3);
        key(' '); want('space plays', $('play').textContent === 'Pause');
        key(' '); want('space pauses', $('play').textContent === 'Play');
        $('forth').click(); want('forward', step() === 4);
        $('back').click(); want('back', step() === 3);
        $('last').click(); want('last', step() === total);
        $('slider').value = 2; $('slider').dispatchEvent(new Event('input')); want('slider', $('count').textContent.startsWith('2 /'));
        const field = $('field').getBoundingClientRect();
        $('field').dispatchEvent(new MouseEvent('click', { clientX: field.left + 80, clientY: field.top + 24 * 5 + 3, bubbles: true }));
        want('click on a step', step() === 6);
        want('one change', document.querySelectorAll('#globals .changed').length === 1);
        want('lanes are drawn', document.querySelectorAll('#field .row').length === total && document.querySelector('#field .delay') && document.querySelector('#field .post') && document.querySelector('#field .roundline'));
        want('forest', document.querySelectorAll('#forest li li').length === 2);
        document.querySelector('#forest li li button').click(); want('a segment', step() === 3);
        want('links', document.querySelector('#seq a.n') && document.querySelector('#source a.n'));
        document.querySelector('#seq a.n').click(); want('marked', document.querySelectorAll('#source .twin').length === 1);
        document.querySelector('#source a.n').click(); want('marked back', document.querySelectorAll('#seq .twin').length > 0);
        dispatchEvent(new Event('beforeprint')); want('table', document.querySelectorAll('#all-steps tr').length === total);
        ",
    );
}

#[test]
fn the_page_can_be_used_without_seeing_it() {
    assert_in_browser(
        &page(&TIMER),
        "
        for (const tag of ['header', 'nav', 'main']) want(tag, document.querySelector(tag));
        want('live', $('status').getAttribute('aria-live') === 'polite');
        document.querySelectorAll('button').forEach((b) => want('button', b.textContent.trim() || b.getAttribute('aria-label')));
        document.querySelectorAll('input').forEach((i) => want('input', i.labels.length === 1));
        document.querySelectorAll('[aria-labelledby]').forEach((n) => want('label ' + n.id, $(n.getAttribute('aria-labelledby'))));
        const ids = [...document.querySelectorAll('[id]')].map((n) => n.id);
        want('ids', new Set(ids).size === ids.length);
        want('language', document.documentElement.lang === 'en');
        ",
    );
}

#[test]
fn hostile_texts_stay_texts_in_a_browser() {
    assert_in_browser(
        &page_of(HOSTILE, &[]),
        "
        want('title', document.title.includes('bug') && document.title !== 'broken');
        want('text', $('source').textContent.includes('<' + '/script><' + 'script>document.title'));
        key('End'); want('unicode', $('source').textContent.includes('🦀'));
        want('variables', $('globals').textContent.includes('Busy'));
        ",
    );
}

#[test]
fn two_executions_have_lanes_of_their_own() {
    let race = "var x: int := 0; proc add() { x := x + 1; } proc double() { x := x * 2; }
        proc main() { x := 1; post add(); post double(); }";
    let page = page_of(race, &["--divergence"]);
    assert_eq!(data(&page)["lanes"].as_array().unwrap().len(), 6);
    assert_in_browser(
        &page,
        "
        for (let i = 0; i < total; i++) { key('ArrowRight'); want('a line', $('status').textContent.length > 10); }
        key('Home'); want('initial', $('globals').textContent.includes('0'));
        ",
    );
}

/// Values with parts: an array of records, a map, one that is too long to be shown whole, and text that looks like none.
const PARTS: &str = "type Item = record { id: int, sold: bool };
var shop: [2]Item := [Item { id: 7, sold: false }; 2];
var owner: [int]task;
var long: [300]int := [5; 300];
proc buy(i: int) { shop[i].sold := true; owner[i] := self; long[i] := 6; }
proc main() { post buy(1); post buy(0); }
finally { assert !shop[0].sold; }
";

#[test]
fn values_with_parts_are_those_of_the_step() {
    assert_in_browser(
        &page_of(PARTS, &["--scheduler", "dfs", "--delays", "0"]),
        "
        const cell = (name) => [...document.querySelectorAll('#globals tr')].find((r) => r.firstChild.textContent === name).lastChild;
        const is = (name, text) => want(name + ': ' + cell(name).textContent, cell(name).textContent.replace(' (changed)', '') === text);
        is('shop', '[Item { id: 7, sold: false }, Item { id: 7, sold: false }]');
        is('owner', '[_: no task]'); is('long[1]', '5');
        key('ArrowRight'); key('ArrowRight'); key('ArrowRight');
        is('shop', '[Item { id: 7, sold: false }, Item { id: 7, sold: true }]');
        want('the part is marked', cell('shop').querySelector('b').textContent === 'true');
        key('ArrowRight'); is('owner', '[1: task 2, _: no task]');
        key('ArrowRight'); is('long[1]', '6'); is('long[0]', '5');
        key('End'); is('shop', '[Item { id: 7, sold: true }, Item { id: 7, sold: true }]');
        is('owner', '[1: task 2, 0: task 3, _: no task]');
        key('Home'); is('owner', '[_: no task]');
        $('source-box').focus(); key('End', $('source-box')); want('the code scrolls', step() === 0);
        key('ArrowRight', $('source-box')); want('and steps', step() === 1);
        ",
    );
}

#[test]
fn ten_thousand_steps_stay_smooth() {
    let long = "var x: int := 0;
        proc work() { for i in 1..1000 { x := x + 1; yield; } }
        proc main() { for i in 1..5 { post work(); } }
        finally { assert x < 5000, \"all counted\"; }";
    let page = page_of(long, &["--strategy", "random", "--runs", "1"]);
    assert!(data(&page)["steps"].as_array().unwrap().len() > 10_000);
    assert_in_browser(
        &page,
        "
        want('steps', total > 10000);
        for (let i = 0; i < 200; i++) key('ArrowRight');
        key('End'); for (let i = 0; i < 100; i++) key('ArrowLeft');
        want('only what is in view is drawn', document.querySelectorAll('#field .row').length < 80);
        want('nodes: ' + document.querySelectorAll('*').length, document.querySelectorAll('*').length < 3000);
        key('End'); want('the end', $('globals').textContent.includes('5000'));
        ",
    );
}
