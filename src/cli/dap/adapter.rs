//! What a debugger asks about a counterexample: where it is, how to go on, what the values are.

use std::path::Path;

use serde_json::{Value, json};

use base::source::{Origin, SourceMap, Span};
use report::Subject;
use report::lines::tasks;
use report::style::Look;
use trace::state::{State, TaskState};

use super::super::session::Replayed;
use super::super::session::command::{Command, Place, parse};
use super::super::session::show;
use super::super::session::walk::Walk;
use super::launch::{Found, execution};
use super::values::Handles;
use super::{Editor, Request};

/// Serves a debugger that has launched a program. Returns whether the debugger has left.
pub fn serve(editor: &mut Editor, found: &Found) -> bool {
    // The launch has replayed it once already.
    let Some((job, file)) = found.load() else {
        return false;
    };
    if file.is_without_execution() {
        editor.end_with(&found.said);
        return false;
    }
    let Some((scheduler, trace, bug)) = execution(&job, &file) else {
        return false;
    };
    let answer = report::replayed(trace.clone(), bug);
    let subject = Subject {
        file: &job.input.name,
        sources: &job.sources,
        program: &job.program,
        answer: &answer,
    };
    let replayed = Replayed {
        subject: &subject,
        scheduler,
        trace: &trace,
        bug: answer.bugs.first(),
    };
    let mut adapter = Adapter {
        walk: Walk::new(replayed, Look::default()),
        sources: &job.sources,
        program: &found.program,
        handles: Handles::default(),
        frames: Vec::new(),
        first: editor.first,
    };
    editor.say(&adapter.walk.greeting());
    editor.event("initialized", Value::Null);
    while let Some(request) = editor.next() {
        if matches!(request.command.as_str(), "disconnect" | "terminate") {
            editor.answer(&request, Ok(Value::Null));
            return true;
        }
        adapter.serve(editor, &request);
    }
    true
}

/// A way to go on.
#[derive(Clone, Copy)]
enum Move {
    /// To the next step.
    Step,
    /// To the next step of that task.
    Over(u32),
    /// To the next switch.
    Switch,
    /// To the step before.
    Back,
    /// To the next break.
    Continue,
    /// To the last break.
    Reverse,
}

struct Adapter<'a> {
    walk: Walk<'a>,
    sources: &'a SourceMap,
    program: &'a Path,
    handles: Handles,
    /// The frames that were shown since the last stop: task and depth.
    frames: Vec<(u32, usize)>,
    /// The numbers of the first line and column.
    first: (u32, u32),
}

impl Adapter<'_> {
    fn serve(&mut self, editor: &mut Editor, request: &Request) {
        let asked = &request.arguments;
        let going = match request.command.as_str() {
            "stepIn" => Some(Ok(Move::Step)),
            "next" => Some(self.task_of(asked).map(Move::Over)),
            "stepOut" => Some(Ok(Move::Switch)),
            "stepBack" => Some(Ok(Move::Back)),
            "continue" => Some(Ok(Move::Continue)),
            "reverseContinue" => Some(Ok(Move::Reverse)),
            _ => None,
        };
        match going {
            Some(Ok(going)) => {
                editor.answer(request, Ok(json!({ "allThreadsContinued": true })));
                let said = self.go(going);
                editor.say(&said);
                self.moved(editor);
            }
            Some(Err(unknown)) => editor.answer(request, Err(unknown)),
            None => self.tell(editor, request),
        }
    }

    /// Answers requests that do not move the program.
    fn tell(&mut self, editor: &mut Editor, request: &Request) {
        let asked = &request.arguments;
        let answer = match request.command.as_str() {
            "configurationDone" => {
                editor.answer(request, Ok(Value::Null));
                return self.stopped(editor, "entry");
            }
            "pause" => {
                editor.answer(request, Ok(Value::Null));
                return self.stopped(editor, "pause");
            }
            "setBreakpoints" => Ok(self.set_lines(asked)),
            "setExceptionBreakpoints" => Ok(json!({ "breakpoints": [] })),
            "dataBreakpointInfo" => Ok(data_info(asked)),
            "setDataBreakpoints" => Ok(self.set_watched(asked)),
            "threads" => Ok(self.threads()),
            "stackTrace" => self.task_of(asked).map(|task| self.stack(task)),
            "scopes" => self.scopes(asked),
            "variables" => self.variables(asked),
            "source" => self.source(asked),
            "evaluate" => {
                let before = self.walk.done;
                let answer = self.evaluate(asked);
                editor.answer(request, answer);
                if self.walk.done != before {
                    self.moved(editor);
                }
                return;
            }
            other => Err(format!("`{other}` is not supported")),
        };
        editor.answer(request, answer);
    }

    // ---- Going ----

    /// Goes on, and says what happened there.
    fn go(&mut self, going: Move) -> String {
        let command = match going {
            Move::Step => Command::Step(1),
            Move::Over(task) => return self.over(task),
            Move::Switch => Command::Next,
            Move::Back => Command::Back(1),
            Move::Continue => Command::Continue,
            Move::Reverse => Command::Reverse,
        };
        self.walk.perform(&command).unwrap_or_else(|e| e)
    }

    /// Goes on until a task acts again. Other tasks may act before it.
    fn over(&mut self, task: u32) -> String {
        let most = self.walk.steps().len();
        let mut said = String::new();
        while self.walk.done < most {
            said += &self.walk.perform(&Command::Step(1)).unwrap_or_else(|e| e);
            if self.walk.task() == task {
                break;
            }
        }
        said
    }

    /// Says where a move has ended.
    fn moved(&mut self, editor: &mut Editor) {
        let reason = match self.walk.is_at_break() {
            true => "breakpoint",
            false => "step",
        };
        self.stopped(editor, reason);
    }

    fn stopped(&mut self, editor: &mut Editor, reason: &str) {
        self.handles.clear();
        self.frames.clear();
        let bug = self.walk.replayed.bug;
        let ended = self.walk.done == self.walk.steps().len();
        let mut body = json!({
            "reason": reason,
            "threadId": thread_of(self.walk.task()),
            "allThreadsStopped": true,
        });
        if let Some(bug) = bug.filter(|_| ended) {
            body["reason"] = "exception".into();
            body["description"] = bug.kind.name().into();
            body["text"] = report::message(bug).into();
        }
        editor.event("stopped", body);
    }

    // ---- Breaks ----

    fn set_lines(&mut self, asked: &Value) -> Value {
        let path = asked["source"]["path"].as_str().map(Path::new);
        let file = path.and_then(|path| self.file(path));
        if let Some(file) = &file {
            // A request has all breaks of a file, so these replace the old ones.
            self.walk.forget_lines(file.clone());
        }
        let wanted = asked["breakpoints"].as_array().into_iter().flatten();
        let shown = wanted.map(|b| {
            let line = b["line"].as_u64().and_then(|l| u32::try_from(l).ok());
            let line = line.map_or(0, |line| line.saturating_add(1 - self.first.0));
            let set = match &file {
                Some(file) => self.walk.perform(&Command::Break(Some(Place {
                    file: file.clone(),
                    line,
                }))),
                None => Err("only lines of the program that is debugged".to_owned()),
            };
            let mut shown = set_or_not(set);
            shown["line"] = b["line"].clone();
            shown
        });
        json!({ "breakpoints": shown.collect::<Vec<_>>() })
    }

    /// Returns the program's file at a path, as breaks name it: the first file has no name there.
    fn file(&self, path: &Path) -> Option<Option<String>> {
        let same = |own: &Path| {
            path == own
                || (path.canonicalize().ok()).is_some_and(|p| own.canonicalize().ok() == Some(p))
        };
        if same(self.program) {
            return Some(None);
        }
        let mut others = self.sources.files().iter().skip(1);
        let found = others.find(|file| same(Path::new(&file.name)))?;
        Some(Some(found.name.clone()))
    }

    fn set_watched(&mut self, asked: &Value) -> Value {
        let wanted = asked["breakpoints"].as_array().into_iter().flatten();
        self.walk.forget_changes();
        let shown = wanted.map(|b| {
            let name = b["dataId"].as_str().unwrap_or_default();
            set_or_not(self.walk.perform(&Command::Watch(name.to_owned())))
        });
        json!({ "breakpoints": shown.collect::<Vec<_>>() })
    }

    // ---- What there is ----

    /// The tasks that are there, and the one that has acted.
    fn there(&self) -> Vec<u32> {
        let state = self.walk.state();
        let mut there: Vec<u32> = state.tasks.iter().map(|t| t.number).collect();
        if !there.contains(&self.walk.task()) {
            there.push(self.walk.task());
        }
        there.sort_unstable();
        there
    }

    /// The task of the thread that is asked about.
    fn task_of(&self, asked: &Value) -> Result<u32, String> {
        let thread = &asked["threadId"];
        let there = self.there().into_iter();
        (there.into_iter().find(|&task| *thread == thread_of(task)))
            .ok_or_else(|| format!("there is no thread {thread} here"))
    }

    fn threads(&self) -> Value {
        let names = tasks(self.walk.replayed.trace);
        let threads = self.there().into_iter().map(|number| {
            let proc = names.get(&number).map_or("", String::as_str);
            let name = match number {
                0 => "finally".to_owned(),
                _ => format!("task {number} ({proc})"),
            };
            json!({ "id": thread_of(number), "name": name })
        });
        json!({ "threads": threads.collect::<Vec<_>>() })
    }

    fn stack(&mut self, task: u32) -> Value {
        let state = self.walk.state();
        let acts = task == self.walk.task();
        let failed = self.walk.done == self.walk.steps().len();
        let here = self.walk.step().and_then(|s| s.span).filter(|_| acts);
        let mut frames = Vec::new();
        let activations = of(&state, task).map_or(&[][..], |t| &t.activations[..]);
        for (depth, activation) in activations.iter().enumerate().rev() {
            let innermost = depth + 1 == activations.len();
            // Marks what comes next, as debuggers do. After a failure nothing comes next: marks what has failed.
            let at = match activation.next {
                next if innermost && failed => here.or(next),
                next => next.or(here.filter(|_| innermost)),
            };
            frames.push(self.frame((task, depth), &activation.proc, at));
        }
        if frames.is_empty() {
            let name = self.walk.step().map_or("", |s| &s.proc);
            frames.push(self.frame((task, 0), name, here));
        }
        json!({ "totalFrames": frames.len(), "stackFrames": frames })
    }

    fn frame(&mut self, frame: (u32, usize), name: &str, at: Option<Span>) -> Value {
        self.frames.push(frame);
        let id = self.frames.len();
        let place = at.and_then(|span| Some((self.sources.locate(span)?, span)));
        let Some((place, span)) = place else {
            return json!({ "id": id, "name": name, "line": 0, "column": 0 });
        };
        let source = match self.sources.file_of(span.start) {
            Some(file) if file.origin == Origin::Library => {
                json!({ "name": file.name, "sourceReference": file.start, "presentationHint": "deemphasize" })
            }
            Some(file) if file.start > 0 => {
                let path = Path::new(&file.name).canonicalize();
                json!({ "name": file.short_name(), "path": path.unwrap_or_else(|_| (&file.name).into()) })
            }
            _ => json!({ "name": self.walk.replayed.subject.file, "path": self.program }),
        };
        let (line, column) = (
            place.line - 1 + self.first.0,
            place.column - 1 + self.first.1,
        );
        json!({ "id": id, "name": name, "source": source, "line": line, "column": column })
    }

    /// The task and the depth of the frame that is asked about.
    fn frame_of(&self, asked: &Value) -> Result<(u32, usize), String> {
        let id = &asked["frameId"];
        let mut frames = (1..).zip(&self.frames);
        let frame = frames.find(|(number, _)| *id == json!(number));
        let (_, frame) = frame.ok_or_else(|| format!("there is no frame {id} here"))?;
        Ok(*frame)
    }

    fn scopes(&mut self, asked: &Value) -> Result<Value, String> {
        let state = self.walk.state();
        let (task, depth) = self.frame_of(asked)?;
        let activation = of(&state, task).and_then(|t| t.activations.get(depth));
        let locals = activation.map_or(Vec::new(), |a| a.locals.clone());
        let locals = self.handles.variables(locals);
        let globals = self.handles.variables(state.globals);
        Ok(json!({ "scopes": [
            { "name": "Locals", "presentationHint": "locals", "variablesReference": locals, "expensive": false },
            { "name": "Globals", "presentationHint": "globals", "variablesReference": globals, "expensive": false },
        ] }))
    }

    fn variables(&mut self, asked: &Value) -> Result<Value, String> {
        let reference = asked["variablesReference"].as_u64();
        let reference = reference.and_then(|r| usize::try_from(r).ok()).unwrap_or(0);
        let program = self.walk.program();
        let rows = self.handles.shown(program, reference);
        let rows = rows.ok_or("these values are no longer there")?;
        Ok(json!({ "variables": rows }))
    }

    fn source(&self, asked: &Value) -> Result<Value, String> {
        let start = asked["source"]["sourceReference"].as_u64();
        let mut files = self.sources.files().iter();
        let file = files.find(|f| Some(u64::from(f.start)) == start);
        let file = file.ok_or("there is no such source")?;
        Ok(json!({ "content": &*file.text }))
    }

    /// Returns a value by its name. The console also takes the commands of `replay`'s prompt.
    fn evaluate(&mut self, asked: &Value) -> Result<Value, String> {
        let text = asked["expression"].as_str().unwrap_or_default().trim();
        let name: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let task = match asked["frameId"] {
            Value::Null => self.walk.task(),
            _ => self.frame_of(asked)?.0,
        };
        let value = show::found(&self.walk, &name, task);
        let result = match (value, asked["context"].as_str()) {
            (Err(unknown), Some("repl")) => match parse(text) {
                Ok(Command::Quit) => return Err("the debugger's own button ends this".to_owned()),
                Ok(command) => self.walk.perform(&command)?,
                Err(_) => return Err(unknown),
            },
            (value, _) => value?,
        };
        Ok(json!({ "result": result.trim_end(), "variablesReference": 0 }))
    }
}

/// Says that a variable's changes can be waited for. The variable is found by its name.
fn data_info(asked: &Value) -> Value {
    let name = asked["name"].as_str().unwrap_or_default();
    json!({ "dataId": name, "description": format!("where {name} changes"), "accessTypes": ["write"] })
}

fn of(state: &State, task: u32) -> Option<&TaskState> {
    state.tasks.iter().find(|t| t.number == task)
}

/// Returns the number of a task's thread. `finally` is task 0, but no thread may have the number 0.
fn thread_of(task: u32) -> u64 {
    u64::from(task) + 1
}

/// What an editor is told of a break.
fn set_or_not(set: Result<String, String>) -> Value {
    match set {
        Ok(_) => json!({ "verified": true }),
        Err(why) => json!({ "verified": false, "message": why }),
    }
}
