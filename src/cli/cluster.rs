//! `explore` by several processes, or with a checkpoint: how they come together, and who answers.

use answer::Answer;
use cluster::not_together;
use cluster::{Broken, Keeping, Link, Local, Meeting, Question};
use ir::Program;
use options::ExploreOptions;
use verify::engines::explored_together;

use super::cluster_args::{ClusterArgs, Where};
use super::output;
use super::status::INCONCLUSIVE;

/// The variable of the environment with the secret of all processes.
const SECRET: &str = "DBVERIFY_CLUSTER_SECRET";
/// Shorter secrets are guessed.
const SHORTEST: usize = 16;

/// How the search of several processes went.
pub enum Went {
    /// This process answers, and tells the others with which exit status.
    Answers(Box<(Answer, Farewell)>),
    /// Another process answers; the exit status is the same.
    Ends(u8),
}

/// What is left to do when the answer has been given.
pub struct Farewell {
    link: Option<Link>,
    /// Ends with the processes that this one has started.
    _local: Option<Local>,
}

impl Farewell {
    /// Tells the other processes how it went.
    pub fn say(mut self, status: u8) {
        if let Some(link) = self.link.take() {
            link.farewell(status);
        }
    }
}

impl ClusterArgs {
    /// Searches together with the other processes.
    ///
    /// # Errors
    /// When this process, or all of them, cannot do what they were asked: why.
    pub fn explore(&self, program: &Program, options: &ExploreOptions) -> Result<Went, String> {
        let question = question(program, options);
        let joined = self.join(&question, options);
        let (mut link, local) = match joined {
            Ok(joined) => joined,
            Err(broken) => return self.apart(broken, options),
        };
        let keeping = Keeping {
            checkpoint: self.checkpoint.clone(),
            resume: self.resume.clone(),
        };
        let answer = explored_together(program, options, &mut link, (&keeping, &question));
        let answer = match answer {
            Err(broken) => {
                link.give_up(&broken);
                return self.apart(broken, options);
            }
            Ok(answer) => answer,
        };
        if link.me == 0 {
            let farewell = Farewell {
                link: Some(link),
                _local: local,
            };
            return Ok(Went::Answers(Box::new((answer, farewell))));
        }
        Ok(match link.dismissed() {
            Ok(status) => Went::Ends(status),
            Err(broken) => ends_badly(broken.reason()),
        })
    }

    /// How it ends where the processes do not stay together.
    fn apart(&self, broken: Broken, options: &ExploreOptions) -> Result<Went, String> {
        match broken {
            Broken::Different(reason) => Err(reason),
            gone @ Broken::Gone(_) if self.is_first() => {
                let nobody = Farewell {
                    link: None,
                    _local: None,
                };
                Ok(Went::Answers(Box::new((
                    not_together(options, &gone),
                    nobody,
                ))))
            }
            Broken::Gone(reason) => Ok(ends_badly(&reason)),
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
    ) -> Result<(Link, Option<Local>), Broken> {
        let meeting = |me: usize, hosts: Vec<String>, secret: String| Meeting {
            me,
            hosts,
            secret,
            question: question.clone(),
            latest: options.limits.end(),
        };
        match &self.cluster {
            None => Ok((Link::alone(), None)),
            Some(Where::Local(size)) => {
                let mut local = Local::new(*size)?;
                let meeting = meeting(local.me, local.hosts.clone(), local.secret.clone());
                let listener = local.listener.try_clone();
                let listener = listener.map_err(|error| Broken::Gone(error.to_string()))?;
                let link = meeting.join(&listener, || local.alive())?;
                Ok((link, Some(local)))
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

fn ends_badly(reason: &str) -> Went {
    output::print_error(&format!("dbverify: {reason}\n"));
    Went::Ends(INCONCLUSIVE)
}

/// What all processes have to be asked alike.
fn question(program: &Program, options: &ExploreOptions) -> Question {
    let asked = (
        (
            options.scheduler,
            options.delays,
            options.preemptions,
            options.switches,
        ),
        (
            options.max_steps,
            options.all,
            options.finals,
            options.shortest,
            options.reduction,
        ),
    );
    Question::new(&format!("{program:?}"), format!("{asked:?}"))
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
