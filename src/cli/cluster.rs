//! `explore` by several processes, or with a checkpoint: how they come together, and who answers.

use answer::Answer;
use cluster::{Broken, Crew, Keeping, Local, Meeting, Question};
use cluster::{explore_with, not_together};
use ir::Program;
use options::{ExploreOptions, Sought};

use super::cluster_args::{ClusterArgs, Where};
use super::output;
use super::status::INCONCLUSIVE;

/// The variable of the environment with the secret of all processes.
const SECRET: &str = "DBVERIFY_CLUSTER_SECRET";
/// The least length of a secret. A shorter one can be guessed.
const SHORTEST: usize = 16;

/// Why this process has no answer.
pub enum Without {
    /// The processes cannot do what they were asked.
    Refused(String),
    /// Another process answers; the exit status is the same.
    Answer(u8),
}

/// What is left to do when the answer has been given.
pub struct Farewell {
    crew: Crew,
    /// When this is dropped, it waits for the processes that this one has started.
    _local: Option<Local>,
}

impl Farewell {
    /// Tells the other processes how it went.
    pub fn say(self, status: u8) {
        self.crew.farewell(status);
    }
}

impl ClusterArgs {
    /// Searches together with the other processes. The first one answers, and then says farewell to the others.
    ///
    /// # Errors
    /// When this process has no answer.
    pub fn explore(
        &self,
        program: &Program,
        options: &ExploreOptions,
        farewell: &mut Option<Farewell>,
    ) -> Result<Answer, Without> {
        // Only a process that has all states could tell what races.
        let options = &ExploreOptions {
            sought: Sought::Failures,
            ..options.clone()
        };
        let question = question(program, options);
        let (mut crew, local) = match self.join(&question, options) {
            Ok(joined) => joined,
            Err(broken) => return self.apart(broken, options),
        };
        let keeping = Keeping {
            checkpoint: self.checkpoint.clone(),
            resume: self.resume.clone(),
        };
        let answer = match explore_with(program, options, &mut crew, (&keeping, &question)) {
            Err(broken) => {
                crew.give_up(&broken);
                return self.apart(broken, options);
            }
            Ok(answer) => answer,
        };
        if crew.me == 0 {
            *farewell = Some(Farewell {
                crew,
                _local: local,
            });
            return Ok(answer);
        }
        Err(match crew.dismissed() {
            Ok(status) => Without::Answer(status),
            Err(broken) => ends_badly(broken.reason()),
        })
    }

    /// Returns how this process ends if the processes do not stay together.
    fn apart(&self, broken: Broken, options: &ExploreOptions) -> Result<Answer, Without> {
        match broken {
            Broken::Different(reason) => Err(Without::Refused(reason)),
            gone @ Broken::Gone(_) if self.is_first() => Ok(not_together(options, &gone)),
            Broken::Gone(reason) => Err(ends_badly(&reason)),
        }
    }

    /// Whether this process answers.
    pub fn is_first(&self) -> bool {
        self.process.unwrap_or(0) == 0 && !Local::is_started()
    }

    fn join(
        &self,
        question: &Question,
        options: &ExploreOptions,
    ) -> Result<(Crew, Option<Local>), Broken> {
        let meeting = |me: usize, hosts: Vec<String>, secret: String| Meeting {
            me,
            hosts,
            jobs: options.jobs,
            secret,
            question: question.clone(),
            latest: options.limits.end(),
        };
        match &self.cluster {
            None => Ok((Crew::alone(options.jobs)?, None)),
            Some(Where::Local(size)) => {
                let mut local = Local::new(*size)?;
                let meeting = meeting(local.me, local.hosts.clone(), local.secret.clone());
                let listener = local.listener.try_clone();
                let listener = listener.map_err(|error| Broken::Gone(error.to_string()))?;
                let crew = meeting.join(&listener, || local.alive())?;
                Ok((crew, Some(local)))
            }
            Some(Where::Hosts(path)) => {
                let hosts = hosts(path).map_err(Broken::Different)?;
                let me = self.process.unwrap_or(0) as usize;
                if me >= hosts.len() {
                    let (path, lines) = (path.display(), hosts.len());
                    return Err(Broken::Different(format!(
                        "--process {me}: {path} has {lines} lines, from 0 to {}",
                        lines - 1
                    )));
                }
                let meeting = meeting(me, hosts, secret().map_err(Broken::Different)?);
                let listener = meeting.listen()?;
                Ok((meeting.join(&listener, || Ok(()))?, None))
            }
        }
    }
}

fn ends_badly(reason: &str) -> Without {
    output::print_error(&format!("dbverify: {reason}\n"));
    Without::Answer(INCONCLUSIVE)
}

/// Returns the question, which must be the same for all processes.
fn question(program: &Program, options: &ExploreOptions) -> Question {
    let asked = [
        ("--scheduler", format!("{:?}", options.scheduler)),
        ("--delays", format!("{:?}", options.delays)),
        ("--preemptions", format!("{:?}", options.preemptions)),
        ("--switches", format!("{:?}", options.switches)),
        ("--max-steps", options.max_steps.to_string()),
        ("--all", options.all.to_string()),
        ("--finals", options.finals.to_string()),
        ("--shortest", options.shortest.to_string()),
        ("--no-reduction", (!options.reduction).to_string()),
    ];
    let asked = asked.map(|(name, value)| (name.to_owned(), value));
    Question::new(&format!("{program:?}"), asked.into())
}

/// The lines of a list of hosts; what follows a `#` is a remark.
fn hosts(path: &std::path::Path) -> Result<Vec<String>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("the list of hosts {shown} cannot be read: {error}"))?;
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or("").trim());
    let hosts: Vec<String> = lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    if hosts.is_empty() {
        return Err(format!(
            "the list of hosts {shown} is empty: write host:port in each line"
        ));
    }
    for (number, host) in hosts.iter().enumerate() {
        let port = host.rsplit_once(':').and_then(|(name, port)| {
            let port = port.parse::<u16>().ok()?;
            (!name.is_empty() && port != 0).then_some(port)
        });
        if port.is_none() {
            return Err(format!("{shown}: {host} is not host:port"));
        }
        if hosts[..number].contains(host) {
            return Err(format!(
                "{shown}: {host} stands there twice; each process needs a port of its own"
            ));
        }
    }
    Ok(hosts)
}

fn secret() -> Result<String, String> {
    let secret = std::env::var(SECRET).unwrap_or_default();
    if secret.len() < SHORTEST {
        return Err(format!(
            "--cluster HOSTS needs a secret that all processes know and nobody else: at least {SHORTEST} characters in {SECRET}, such as `openssl rand -hex 32` prints"
        ));
    }
    Ok(secret)
}
