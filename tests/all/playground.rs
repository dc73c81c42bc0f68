//! The playground: the questions of its page, asked directly, and the page itself, in a browser.
//!
//! The browser is Debian's chromium, and `playground/build.py` builds the page. If one of them is missing, the tests that need
//! it are skipped and say so.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use dbverify::cli::embedded::{Question, Said, ask};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/async-programs");

fn asked(command: &str, name: &str, text: &str) -> Said {
    ask(&Question {
        command,
        name,
        text,
        width: 80,
        memory: 1 << 30,
    })
}

const BUG: &str = "var x: int := 0;\nproc add() { let old = x; yield; x := old + 1; }\n\
                   proc main() { post add(); post add(); }\nfinally { assert x == 2; }\n";

#[test]
fn the_page_says_what_the_command_line_says() {
    let examples = [
        ("bluetooth_stop_bug", "verify --delays 1"),
        ("bluetooth_stop", "verify --delays 1"),
        ("timer_cancel_bug", "explore"),
        ("philosophers_mutex_bug", "explore --strategy dpor"),
        ("spin_loop", "explore --fair"),
        ("race_bug", "explore --races"),
    ];
    for (example, command) in examples {
        let name = format!("{example}.async");
        let text = std::fs::read_to_string(Path::new(EXAMPLES).join(&name)).unwrap();
        let said = asked(command, &name, &text);
        let words = command.split(' ').chain([name.as_str()]);
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .current_dir(EXAMPLES)
            .args(words)
            .output()
            .unwrap();
        assert_eq!(Some(i32::from(said.status)), output.status.code(), "{name}");
        // The last line has the seconds.
        let steady = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|l| !l.contains("seconds"));
            lines.map(str::to_owned).collect()
        };
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(steady(&said.text), steady(&printed), "{name}");
        assert!(said.page.is_some_and(|page| page.contains("</html>")));
    }
}

#[test]
fn a_command_may_be_pasted_with_the_file() {
    let said = asked("dbverify p.async --delays 1", "p.async", BUG);
    assert_eq!(said.status, 1, "{}", said.text);
    let answer = said.answer.unwrap();
    assert_eq!(answer["verdict"], "bug");
}

#[test]
fn what_is_wrong_has_a_place() {
    let said = asked("check", "p.async", "proc main() { x := 1; }\n");
    assert_eq!(said.status, 2);
    assert_eq!(said.diagnostics[0]["line"], 1);
    let said = asked("explore", "p.async", "proc main() {");
    assert_eq!((said.status, said.page), (2, None));
}

#[test]
fn what_a_page_cannot_do_is_refused() {
    for (command, words) in [
        ("explore --jobs 2", "--jobs is for the command line"),
        ("explore --cluster local:2", "--cluster is for"),
        ("verify --html x.html", "--html is for"),
        ("verify --solver z3", "--solver is for"),
        ("explore --races --delays 1", "--races does not go with"),
        ("verify --fair", "`dbverify explore FILE --fair`"),
        ("verify \"", "quotation mark"),
        ("replay x", "unrecognized subcommand"),
        ("explore other.async", "unexpected argument"),
    ] {
        let said = asked(command, "p.async", BUG);
        assert_eq!(said.status, 2, "{command}");
        assert!(said.text.contains(words), "{command}: {}", said.text);
    }
    assert_eq!(asked("explore --help", "p.async", BUG).status, 0);
}

#[test]
fn a_program_is_formatted() {
    let said = asked("fmt", "p.async", "proc main() { skip; }");
    assert_eq!(
        said.formatted.as_deref(),
        Some("proc main() {\n  skip;\n}\n")
    );
    assert_eq!(asked("fmt", "p.async", "proc main( {").status, 2);
    assert_eq!(asked("fmt", "p.c", "int main() {}").status, 2);
}

/// As the page has it: without Z3, and without an operating system.
#[test]
fn the_library_compiles_without_its_features() {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["check", "--package", "dbverify", "--lib", "--quiet"])
        .args(["--no-default-features", "--features", "args"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

#[test]
fn preprocessed_c_is_a_program_too() {
    let text = "int x; int main(void) { x = 1; return 0; }\n";
    assert_eq!(asked("explore", "p.i", text).status, 0);
}

// ---- in a browser ----

/// The page that `playground/build.py` has built, and a browser. Says so if one of them is missing.
fn page_and_browser() -> Option<(PathBuf, &'static str)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = std::env::var_os("DBVERIFY_PLAYGROUND").map(PathBuf::from);
    let page = built.unwrap_or_else(|| root.join("target/playground"));
    let browsers = ["/usr/bin/chromium", "/usr/bin/google-chrome"];
    let browser = browsers.into_iter().find(|p| Path::new(p).exists());
    match (page.join("dbverify.wasm").exists(), browser) {
        (true, Some(browser)) => Some((page, browser)),
        (false, _) => {
            eprintln!("note: playground/build.py has not been run; the playground was not tried");
            None
        }
        (_, None) => {
            eprintln!("note: there is no chromium; the playground was not tried in a browser");
            None
        }
    }
}

/// Reads a request: its first line, and its body.
fn request(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        let lower = line.to_lowercase();
        if let Some(number) = lower.strip_prefix("content-length:") {
            length = number.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((first, String::from_utf8_lossy(&body).into_owned()))
}

fn respond(stream: &mut TcpStream, kind: &str, body: &[u8]) {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(body);
}

/// Serves the page, with a script at its end, until that reports.
fn served(listener: &TcpListener, page: &Path, script: &str, browser: &mut Child) -> String {
    let html = std::fs::read_to_string(page.join("index.html")).unwrap();
    let (before, after) = html.rsplit_once("</body>").unwrap();
    let html = format!("{before}<script>{script}</script></body>{after}");
    listener.set_nonblocking(true).unwrap();
    let end = Instant::now() + Duration::from_secs(300);
    while Instant::now() < end && browser.try_wait().unwrap().is_none() {
        let Ok((mut stream, _)) = listener.accept() else {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        stream.set_nonblocking(false).unwrap();
        let Some((first, body)) = request(&mut stream) else {
            continue;
        };
        if first.starts_with("POST") {
            respond(&mut stream, "text/plain", b"");
            return body;
        }
        if first.contains("/dbverify.wasm") {
            let module = std::fs::read(page.join("dbverify.wasm")).unwrap();
            respond(&mut stream, "application/wasm", &module);
        } else {
            respond(&mut stream, "text/html; charset=utf-8", html.as_bytes());
        }
    }
    "the page did not report".to_owned()
}

/// Ends with the test, however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const HELPERS: &str = "
    const problems = [];
    addEventListener('error', (e) => problems.push(e.message));
    addEventListener('unhandledrejection', (e) => problems.push(String(e.reason)));
    addEventListener('securitypolicyviolation', (e) => problems.push(e.violatedDirective));
    const want = (what, ok) => { if (!ok) throw what + ' / ' + byId('status').textContent; };
    const pause = (ms) => new Promise((go) => setTimeout(go, ms));
    const until = async (what, ok) => { for (let i = 0; i < 1200 && !ok(); i++) await pause(50); want(what, ok()); };
    const kind = () => byId('status').dataset.kind;
    const done = (what, ...kinds) => until(what, () => kinds.includes(kind()) && byId('stop').disabled);
    const program = (words) => { text.value = words; text.dispatchEvent(new Event('input')); };
    const run = async (command, ...kinds) => { tell('', ''); runLine(command); await done(command, ...kinds); };
";

const SCRIPT: &str = r##"
    want('an example is there', text.value.includes('proc main') && byId('name').value === 'bluetooth_stop_bug.async');
    want('its own commands', byId('own').children.length === 5);
    want('each line has its number', byId('numbers').children.length === text.value.split('\n').length);
    byId('explore').click();
    await done('explore', 'bug');
    want('the steps are shown', !byId('steps').hidden && byId('steps').src.startsWith('blob:'));
    want('the failing line is marked', byId('numbers').querySelector('.error').textContent === '48');
    document.querySelector('[data-view=words]').click();
    want('the text', byId('words').textContent.includes('bluetooth_stop_bug.async: bug'));
    byId('delays').value = '0';
    byId('verify').click();
    await done('verify', 'safe');
    want('nothing is marked', !byId('numbers').querySelector('.error'));

    program('proc main() { x := 1; }');
    byId('check').click();
    await done('check', 'error');
    want('a problem with its line', byId('problems').textContent.includes('line 1'));
    program('proc main() { skip; }');
    byId('format').click();
    await until('format', () => text.value === 'proc main() {\n  skip;\n}\n');
    program('proc main() { ' + '{'.repeat(5000) + '}'.repeat(5000) + ' }');
    await run('explore', 'error');
    program('proc main() { assert ' + '('.repeat(90) + 'true' + ')'.repeat(90) + '; }');
    await run('explore', 'safe');

    program('var x: int := 0; proc w() { while x < 100000000000 { x := x + 1; yield; } } proc main() { post w(); post w(); assert x >= 0; }');
    await run('prove', 'inconclusive');
    want('Z3 is named', byId('status').textContent.includes('needs Z3'));
    await run('explore --jobs 4', 'error');
    want('what is not there', byId('problems').textContent.includes('--jobs'));
    tell('', '');
    runLine('explore --timeout 100');
    await pause(300);
    want('it is at work', !byId('stop').disabled);
    byId('stop').click();
    want('it can be stopped', byId('status').textContent.includes('stopped') && byId('stop').disabled);

    program('var x: int := 0; proc main() { assert x == 1; }');
    byId('command').value = 'explore';
    text.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }));
    await done('a key runs the command', 'bug');
    await link();
    want('the link', location.hash.startsWith('#program='));
    program('');
    await open();
    want('the link holds the program', text.value.includes('assert x == 1') && byId('command').value === 'explore');
    byId('name').value = 'p.c';
    await run('explore', 'error');
    want('C needs a compiler', byId('problems').textContent.includes('C compiler'));
    byId('name').value = 'p.i';
    program('#include <assert.h>\nint main(void) { return 0; }');
    await run('explore', 'error', 'safe');
    program('int x; int main(void) { x = 1; return 0; }');
    await run('explore', 'safe');

    const shown = (kind, words) => {
      const code = document.createElement('code');
      code.className = kind;
      code.textContent = words;
      document.body.append(document.createElement('pre'));
      document.body.lastChild.append(code);
    };
    shown('language-async', 'proc main() { assert 1 > 2; }\n');
    shown('language-console', '$ dbverify explore --races wrong.async; echo $?\nbug');
    shown('language-async', 'var x: int := 0; proc main() { x := 1; }\n');
    shown('language-console', '$ dbverify prove right.async\nproved');
    shown('language-async', 'proc part() {}\n');
    document.head.append = (script) => script.onerror();
    book();
    await playgroundLinks;
    want('no links to a playground that is not there', !document.querySelector('.playground-link'));
    document.head.append = (script) => script.onload();
    book();
    await playgroundLinks;
    const links = [...document.querySelectorAll('.playground-link')];
    want('whole programs have links', links.length === 2);
    want('a proof says what it needs', !links[0].textContent.includes('Z3') && links[1].textContent.includes('Z3'));
    location.hash = new URL(links[0].href).hash;
    await until('the link opens the program', () => text.value.includes('assert 1 > 2'));
    want('its name and command', byId('name').value === 'wrong.async' && byId('command').value === 'explore --races');
    await run(byId('command').value, 'bug');
"##;

/// The script that the book adds to its pages.
const BOOK: &str = include_str!("../../playground/book.js");

#[test]
fn the_page_works_in_a_browser() {
    let Some((page, browser)) = page_and_browser() else {
        return;
    };
    let profile = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let script = format!(
        "const book = () => {{ {BOOK} }};\
         (async () => {{ {HELPERS} let said = 'fine'; try {{ {SCRIPT} }} catch (e) {{ said = String(e); }}\
         fetch('report', {{ method: 'POST', body: problems.concat([said]).join('; ') }}); }})();"
    );
    let child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu"])
        .args(["--disable-dev-shm-usage", "--window-size=1400,900"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("http://{}/", listener.local_addr().unwrap()))
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut child = Running(child);
    assert_eq!(served(&listener, &page, &script, &mut child.0), "fine");
}
