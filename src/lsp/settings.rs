//! The client's first message: what it can show, and how it wants programs verified.

use std::time::Duration;

use serde_json::Value;

use options::DelayRange;

use super::client::Can;

/// How programs are verified: `delays`, `unroll`, `timeout` and `memory` of the client's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Delay budget, a number or a range.
    pub delays: String,
    /// How often loops are unrolled.
    pub unroll: u32,
    /// When to give up. Below, the limit of memory in MiB.
    pub timeout: Duration,
    pub memory: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            delays: "2".to_owned(),
            unroll: 4,
            timeout: Duration::from_secs(60),
            memory: 2048,
        }
    }
}

/// The longest timeout that a client can set.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

impl Settings {
    /// Returns the settings with the values in a client's object. A value that is missing or wrong changes nothing.
    #[must_use]
    pub fn with(&self, said: &Value) -> Self {
        Self {
            delays: delays(said).unwrap_or_else(|| self.delays.clone()),
            unroll: unroll(said).unwrap_or(self.unroll),
            timeout: timeout(said).unwrap_or(self.timeout),
            memory: memory(said).unwrap_or(self.memory),
        }
    }
}

/// The names of the settings in a client's object whose values are wrong.
#[must_use]
pub fn wrong(said: &Value) -> Vec<&'static str> {
    let all = [
        ("delays", delays(said).is_some()),
        ("unroll", unroll(said).is_some()),
        ("timeout", timeout(said).is_some()),
        ("memory", memory(said).is_some()),
    ];
    let wrong = |&(key, fits): &(&str, bool)| !fits && !said[key].is_null();
    all.into_iter().filter(wrong).map(|(key, _)| key).collect()
}

fn delays(said: &Value) -> Option<String> {
    let text = match &said["delays"] {
        Value::Number(n) => n.to_string(),
        Value::String(text) => text.clone(),
        _ => return None,
    };
    text.parse::<DelayRange>().is_ok().then_some(text)
}

fn unroll(said: &Value) -> Option<u32> {
    u32::try_from(said["unroll"].as_u64()?).ok()
}

fn timeout(said: &Value) -> Option<Duration> {
    let seconds = said["timeout"].as_f64().filter(|&s| s > 0.0)?;
    let timeout = Duration::try_from_secs_f64(seconds).ok()?;
    Some(timeout.min(LONGEST))
}

fn memory(said: &Value) -> Option<u64> {
    said["memory"].as_u64().filter(|&m| m > 0)
}

/// What a client can show, by the parameters of its `initialize`.
#[must_use]
pub fn abilities(params: &Value) -> Can {
    let no = |v: &Value| matches!(v, Value::Null | Value::Bool(false));
    let can = |path: &str| params.pointer(path).is_some_and(|v| !no(v));
    Can {
        related: can("/capabilities/textDocument/publishDiagnostics/relatedInformation"),
        progress: can("/capabilities/window/workDoneProgress"),
        nested_symbols: can(
            "/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport",
        ),
        action_literals: can("/capabilities/textDocument/codeAction/codeActionLiteralSupport"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_said_wrongly_stays() {
        let usual = Settings::default();
        let said = json!({ "delays": 1, "unroll": 8, "timeout": 0.5, "memory": 100 });
        let other = usual.with(&said);
        assert_eq!((other.delays.as_str(), other.unroll), ("1", 8));
        assert_eq!(
            (other.timeout, other.memory),
            (Duration::from_millis(500), 100)
        );
        assert_eq!(usual.with(&json!({ "delays": "0..3" })).delays, "0..3");
        assert_eq!(usual.with(&json!({ "delays": "any" })).delays, "any");
        assert_eq!(
            usual.with(&json!({ "delays": " 2 .. 3" })).delays,
            " 2 .. 3"
        );
        assert_eq!(usual.with(&json!({ "delays": "4..0" })).delays, "2");
        for wrong in [
            json!({ "delays": "-1; rm", "unroll": -1, "timeout": -3, "memory": 0 }),
            json!({ "delays": 1.5, "unroll": 1e30, "timeout": "x", "memory": {} }),
            json!([1]),
            json!(null),
        ] {
            assert_eq!(usual.with(&wrong), usual, "{wrong}");
        }
        assert_eq!(
            wrong(&json!({ "delays": "abc", "memory": 0 })),
            ["delays", "memory"]
        );
        assert!(wrong(&json!({ "delays": 1, "unroll": null })).is_empty());
    }
}
