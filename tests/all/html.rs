//! The page that `--html` writes: its content, and how it behaves in a browser.
//!
//! The browser is Debian's chromium. Tests that need it are skipped without it, and say so.

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
pub fn data(page: &str) -> serde_json::Value {
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
    data["about"]["command"] = serde_json::json!("…");
    insta::assert_snapshot!(format!("{data:#}"));
}

#[test]
fn the_frame_of_a_page() {
    let page = page(&TIMER);
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    let (body, _) = body.split_once("<script").unwrap();
    // The seconds and the command line are no matter of a test.
    let steady = |line: &&str| !line.contains(" seconds") && !line.contains("class=\"command\"");
    let body: Vec<&str> = body.lines().filter(steady).collect();
    insta::assert_snapshot!(format!("{head}{}", body.join("\n")));
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
    assert!(!page.contains("id=\"seq\""));
}

#[test]
fn a_safe_program_has_a_page_without_steps() {
    let page = page(&["explore", "lazy_init.async"]);
    assert!(page.contains("<title>lazy_init.async: safe</title>"));
    assert_eq!(data(&page)["steps"].as_array().unwrap().len(), 0);
    // The page says what was covered. Without a trace it has no player.
    assert!(page.contains("<li>bounds: scheduler bag"), "{page}");
    assert!(page.contains("<li>nothing within these bounds was left out</li>"));
    assert!(page.contains("<nav id=\"bar\" aria-label=\"Steps\" hidden>"));
    assert_in_browser(
        &page,
        "
        want('no controls', getComputedStyle($('bar')).display === 'none');
        want('the program', $('code').textContent.includes('proc fill()'));
        want('the verdict', /safe/.test($('title').textContent));
        key('ArrowRight'); key('End'); key('v');
        ",
    );
}

/// `main` waits at once, or tasks that have not begun do.
#[test]
fn what_waits_before_its_first_step_has_a_page() {
    let page = page_of("var a: bool := false;\nproc main() { await a; }\n", &[]);
    let found = data(&page);
    assert_eq!(found["steps"], serde_json::json!([]));
    assert_eq!(found["waiting"].as_array().unwrap().len(), 1);
    let posts = "post t(); ".repeat(6);
    let all = format!("var a: bool := false;\nproc t() {{ await a; }}\nproc main() {{ {posts}}}\n");
    let found = data(&page_of(&all, &[]));
    assert_eq!(found["waiting"].as_array().unwrap().len(), 6);
}

#[test]
fn an_execution_without_a_bug_has_a_page_without_a_verdict() {
    let page = page(&["simulate", "lazy_init.async", "--seed", "3"]);
    assert!(data(&page)["steps"].as_array().unwrap().len() > 5);
    assert_eq!(data(&page)["about"]["verdict"], "");
    assert_in_browser(
        &page,
        "want('at its end', step() === total); want('no verdict', !document.querySelector('.tag'));",
    );
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
    // But for the seconds.
    let steady = || {
        let page = page(&TIMER);
        let lines = page.lines().filter(|l| !l.contains(" seconds"));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(steady(), steady());
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

/// Loads a page with a script at its end. Returns what the script leaves in `window.report`, or what went wrong.
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
    const step = () => Number($('strip').getAttribute('aria-valuenow'));
    const total = Number($('strip').getAttribute('aria-valuemax'));
    const row = (name) => [...document.querySelectorAll('#values tbody tr')].find((r) => r.querySelector('th').textContent === name);
    const now = (name) => row(name)?.lastChild.textContent.replace(' (changed)', '');
";

pub fn assert_in_browser(page: &str, script: &str) {
    if let Some(report) = in_browser(page, &format!("{HELPERS}{script} return 'fine';")) {
        assert_eq!(report, "fine");
    }
}

#[test]
fn keys_and_mouse_step_through_the_page() {
    assert_in_browser(
        &page(&TIMER),
        "
        want('it opens at the failure', step() === total && /fails/.test($('status').textContent));
        want('the failing line', document.querySelector('#code .bad.here'));
        want('values at the end', now('outcome') === 'Cancelled');
        want('the check is the title', /fails at line/.test($('title').textContent));
        key('ArrowRight'); want('no further', step() === total);
        key('v'); want('all steps', $('all').getAttribute('aria-pressed') === 'true');
        want('a row for each step', document.querySelectorAll('#field .row').length === total);
        key('Home'); want('home', step() === 0 && /Before the first step/.test($('status').textContent));
        key('ArrowRight'); want('right', step() === 1 && /Step 1 of/.test($('status').textContent));
        want('line', document.querySelector('#code .here').textContent.includes('post timer_fires()'));
        key('ArrowDown'); key('ArrowLeft'); want('left', step() === 1);
        key('j'); want('j', step() === 2); key('k', $('strip')); want('the strip takes keys once', step() === 1);
        key('Home'); key('n'); want('next switch', step() === 3); key('p'); want('last switch', step() === 0);
        key(' '); want('space plays', $('play').textContent === 'Stop');
        key(' '); want('space pauses', $('play').textContent === 'Play');
        $('forth').click(); want('forward', step() === 1);
        $('back').click(); want('back', step() === 0);
        $('last').click(); want('last', step() === total);
        document.querySelectorAll('#field .row')[4].click(); want('click on a row', step() === 5);
        want('the address has the step', location.hash === '#step=5&view=all');
        want('lanes are drawn', document.querySelector('#field svg .late') && document.querySelector('#field svg .runs') && document.querySelector('#field .rd'));
        const bar = $('strip').getBoundingClientRect();
        $('strip').dispatchEvent(new PointerEvent('pointerdown', { clientX: bar.right - 8, clientY: bar.top + 5, bubbles: true }));
        want('the strip is a slider', step() === total);
        ",
    );
}

#[test]
fn the_story_folds_what_does_not_matter() {
    let many = "var x: int := 0; proc add() { let t = x; yield; x := t + 1; }
        proc main() { for i in 1..14 { post add(); } } finally { assert x == 14; }";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.async");
    std::fs::write(&path, many).unwrap();
    assert_in_browser(
        &page(&[path.to_str().unwrap(), "--delays", "1"]),
        "
        const rows = document.querySelectorAll('#field .row').length;
        want('few rows: ' + rows, rows < 14 && total > 60);
        want('the delay is told', document.querySelector('#field .delayed'));
        const fold = [...document.querySelectorAll('.fold')].find((f) => /tasks 2 to 13 run to their end/.test(f.textContent));
        want('the others are one', fold && /0 → 12/.test(fold.textContent));
        key('Home'); key('ArrowRight'); key('ArrowRight'); want('a fold is one step', step() > 40);
        fold.click(); want('it opens', document.querySelectorAll('#field .row').length > 40);
        key('s'); want('the lanes alone', $('drawer').hidden); key('s');
        key('v'); want('all steps', document.querySelectorAll('#field .row').length === total);
        want('no gutter is drawn over', getComputedStyle(document.querySelector('#field .g')).backgroundColor !== 'rgba(0, 0, 0, 0)');
        want('nothing is beside the window', $('lanes').scrollWidth <= $('lanes').clientWidth + 1);
        ",
    );
}

/// The rounds that the terminal leaves out are one row, here as well.
#[test]
fn the_story_folds_rounds_of_loops() {
    let long = "var x: int := 0;
        proc w() { var i: int := 0; while i < 150 { let t = x; yield; x := t + 1; i := i + 1; } }
        proc main() { post w(); post w(); } finally { assert x == 300; }";
    let page = page_of(long, &["--strategy", "random"]);
    assert!(
        data(&page)["repeats"]
            .as_array()
            .is_some_and(|r| !r.is_empty())
    );
    assert_in_browser(
        &page,
        "
        const rows = () => document.querySelectorAll('#field .row').length, few = rows();
        const fold = [...document.querySelectorAll('.fold')].find((f) => /more rounds of this/.test(f.textContent));
        want('rounds are one row', fold);
        fold.click(); want('it opens', rows() > few);
        ",
    );
}

/// Under weak memory, the page names the steps that explain the failure.
#[test]
fn a_store_that_comes_late_is_told() {
    let program = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y; int a, b;
        void *p(void *u) { atomic_store_explicit(&x, 1, memory_order_relaxed); a = atomic_load_explicit(&y, memory_order_relaxed); return 0; }
        void *q(void *u) { atomic_store_explicit(&y, 1, memory_order_relaxed); b = atomic_load_explicit(&x, memory_order_relaxed); return 0; }
        int main(void) { pthread_t t, s; pthread_create(&t, 0, p, 0); pthread_create(&s, 0, q, 0);
            pthread_join(t, 0); pthread_join(s, 0); assert(a == 1 || b == 1); return 0; }";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sb.c");
    std::fs::write(&path, program).unwrap();
    let page = page(&["explore", path.to_str().unwrap(), "--memory", "tso"]);
    assert_in_browser(
        &page,
        "
        want('why', /still in the buffer/.test($('why').textContent) && /reaches memory/.test($('why').textContent));
        const rows = [...document.querySelectorAll('#field .row:not(.fold)')].map((r) => r.textContent).join();
        want('the store is a row', /stays in the buffer/.test(rows) && /still in the buffer/.test(rows));
        ",
    );
}

#[test]
fn a_deadlock_says_who_waits_for_what() {
    assert_in_browser(
        &page(&["explore", "philosophers_mutex_bug.async"]),
        "
        want('the title', /^bug Deadlock: tasks 2, 3 and 4 wait/.test($('title').textContent));
        want('who', document.querySelectorAll('#why li').length === 4 && /waits for fork\\[1\\].lock/.test($('why').textContent));
        want('red', document.querySelector('#field svg .stuck') && document.querySelector('#field svg .stop'));
        want('the program, not the library', $('code-title').textContent.endsWith('philosophers_mutex_bug.async'));
        document.querySelector('#why a').click(); want('a link goes there', step() > 0);
        ",
    );
}

#[test]
fn a_delayed_task_is_not_blocked_and_says_so() {
    assert_in_browser(
        &page(&TIMER),
        "
        want('why', /is delayed, so task \\d+/.test($('why').textContent));
        want('no red', !document.querySelector('#field svg .stuck'));
        want('amber', document.querySelector('#field svg .late'));
        ",
    );
}

#[test]
fn lanes_are_hidden_grouped_and_searched() {
    assert_in_browser(
        &page(&["explore", "philosophers_mutex_bug.async"]),
        "
        want('a ring', /in a ring/.test($('why').textContent));
        key('v');
        const lanes = () => document.querySelectorAll('#field .hd [data-g]').length;
        const all = lanes();
        document.querySelector('[data-hide]').click(); want('one is hidden', lanes() === all - 1);
        document.querySelector('[data-show]').click(); want('it is back', lanes() === all);
        key('g'); want('one lane for each procedure', lanes() === 2); key('g');
        key('h'); want('arrows', document.querySelector('#field svg .order')); key('h');
        $('find').value = 'post'; $('search').requestSubmit();
        want('found', document.querySelectorAll('#field .found').length > 0);
        ",
    );
}

#[test]
fn locals_are_those_of_the_procedures_that_run() {
    let calls = "var y: int := 0; proc inner(a: int) { var b: int := a + 1; y := b; }
        proc outer(c: int) { call inner(c + 1); y := y + c; }
        proc main() { post outer(5); } finally { assert y != 12; }";
    assert_in_browser(
        &page_of(calls, &[]),
        "
        key('v'); key('Home');
        const locals = () => [...document.querySelectorAll('#values tr.sub, #values tr.local')].map((r) => r.textContent).join('|');
        while (!/locals of inner/.test(locals()) && step() < total) key('ArrowRight');
        want('parameters: ' + locals(), /locals of inner\\|a6/.test(locals()) && /locals of outer\\|c5/.test(locals()));
        while (step() < total - 1) key('ArrowRight');
        want('what has returned is gone: ' + locals(), !/inner/.test(locals()) && /c5/.test(locals()));
        ",
    );
}

#[test]
fn expressions_are_watched_and_variables_marked() {
    assert_in_browser(
        &page_of(PARTS, &["--scheduler", "dfs", "--delays", "0"]),
        "
        for (const [text, value] of [['shop[0].sold && !shop[1].sold', 'false'], ['long[0] + 2 * 3 == 12', 'true'], ['nobody[1]', 'nobody[1]'], ['1 +', '?']]) {
            $('expression').value = text; $('watch').requestSubmit();
            want(text + ': ' + now(text + ' ×'), now(text + ' ×') === value);
        }
        document.querySelector('[data-unwatch]').click(); want('gone', document.querySelectorAll('[data-unwatch]').length === 3);
        document.querySelector('[data-mark=shop]').click(); want('marked', document.querySelectorAll('#field .hit').length > 0);
        key('Escape'); want('unmarked', document.querySelectorAll('#field .hit').length === 0);
        ",
    );
}

#[test]
fn the_view_can_be_taken_along() {
    assert_in_browser(
        &page(&TIMER),
        "
        $('text').click();
        want('text', /^bug: assertion/.test($('dialog-body').firstChild.value) && /-- round 1 --/.test($('dialog-body').firstChild.value));
        $('close').click(); $('mermaid').click();
        want('mermaid', $('dialog-body').firstChild.value.startsWith('sequenceDiagram\\n  participant T0'));
        $('close').click(); $('help').click(); want('keys', $('dialog').open && /Home/.test($('dialog-body').textContent));
        ",
    );
}

#[test]
fn the_sequential_program_takes_the_place_of_the_source() {
    assert_in_browser(
        &page(&TIMER),
        "
        $('seq').click(); want('it is shown', /sequential/.test($('code-title').textContent) && document.querySelector('#code .from'));
        document.querySelector('#code .from .n').click();
        want('back at its line', $('code-title').textContent.endsWith('timer_cancel_bug.async') && document.querySelector('#code .here'));
        ",
    );
}

#[test]
fn the_page_can_be_used_without_seeing_it() {
    assert_in_browser(
        &page(&TIMER),
        "
        for (const tag of ['header', 'nav', 'main', 'h1']) want(tag, document.querySelector(tag));
        want('live', $('status').getAttribute('aria-live') === 'polite');
        want('the slider says where it is', /Step/.test($('strip').getAttribute('aria-valuetext')));
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
        want('text', $('code').textContent.includes('<' + '/script><' + 'script>document.title'));
        key('End'); want('unicode', $('code').textContent.includes('🦀'));
        want('variables', now('mode') === 'Busy');
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
        key('v'); key('Home');
        for (let i = 0; i < total; i++) { key('ArrowRight'); want('a line', $('status').textContent.length > 10); }
        want('all of it', step() === total); key('Home'); want('initial', now('x') === '0');
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
        const is = (name, text) => want(name + ': ' + now(name), now(name) === text);
        key('v'); key('Home');
        is('shop', '[Item { id: 7, sold: false }, Item { id: 7, sold: false }]');
        is('owner', '[_: no task]'); is('long[1]', '5');
        key('ArrowRight'); key('ArrowRight'); key('ArrowRight');
        is('shop', '[Item { id: 7, sold: false }, Item { id: 7, sold: true }]');
        want('the change is marked', row('shop').querySelector('.ch'));
        key('ArrowRight'); is('owner', '[1: task 2, _: no task]');
        key('ArrowRight'); is('long[1]', '6'); is('long[0]', '5');
        key('End'); is('shop', '[Item { id: 7, sold: true }, Item { id: 7, sold: true }]');
        is('owner', '[1: task 2, 0: task 3, _: no task]');
        key('Home'); is('owner', '[_: no task]');
        $('code-box').focus(); key('End', $('code-box')); want('the code scrolls', step() === 0);
        key('ArrowRight', $('code-box')); want('and steps', step() === 1);
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
        want('steps', total > 10000); key('v');
        key('Home'); for (let i = 0; i < 100; i++) key('ArrowRight'); want('forwards', step() === 100);
        key('End'); for (let i = 0; i < 50; i++) key('ArrowLeft'); want('backwards', step() === total - 50);
        want('a window of rows', document.querySelectorAll('#field .row').length <= 240);
        want('nodes: ' + document.querySelectorAll('*').length, document.querySelectorAll('*').length < 3000);
        key('End'); want('the end', now('x') === '5000');
        ",
    );
}
