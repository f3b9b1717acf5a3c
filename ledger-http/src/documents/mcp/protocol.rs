//! The versions of MCP that are spoken, and how results and errors of each look.

use serde_json::{Value, json};

/// The versions that are spoken, latest first.
pub const VERSIONS: [&str; 3] = [STATELESS, "2025-11-25", "2025-06-18"];

/// The first version without a handshake: every request says its version and capabilities.
pub const STATELESS: &str = "2026-07-28";

/// How long lists may be taken for fresh, in milliseconds: five minutes.
const FRESH_MS: u32 = 300_000;

/// The keys of `_meta` in which a request says what the handshake said before.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// What a request is refused for, as JSON-RPC numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is no JSON.
    Parse,
    /// It is no request.
    Request,
    /// Nobody answers its method.
    Method,
    /// Its parameters are not as they must be.
    Params,
    /// A header says something else than the body.
    Header,
    /// Its version is none that is spoken.
    Version,
}

impl Fault {
    /// The number of JSON-RPC.
    pub const fn number(self) -> i32 {
        match self {
            Self::Parse => -32700,
            Self::Request => -32600,
            Self::Method => -32601,
            Self::Params => -32602,
            Self::Header => -32020,
            Self::Version => -32022,
        }
    }

    /// The HTTP status that it is answered with in a version.
    pub const fn status(self, stateless: bool) -> u16 {
        match self {
            Self::Parse | Self::Request | Self::Header | Self::Version => 400,
            Self::Method if stateless => 404,
            Self::Method | Self::Params => 200,
        }
    }
}

/// An error; `id` is null where the request has none that can be read.
pub fn error(id: &Value, fault: Fault, message: &str) -> Value {
    let mut error = json!({ "code": fault.number(), "message": message });
    if fault == Fault::Version {
        error["data"] = json!({ "supported": VERSIONS });
    }
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

/// A result, with what its version has of every result.
pub fn result(id: &Value, stateless: bool, mut result: Value) -> Value {
    if stateless {
        result["resultType"] = "complete".into();
    }
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// A result that may be kept for a while by anybody.
pub fn cacheable_result(id: &Value, stateless: bool, mut listed: Value) -> Value {
    if stateless {
        listed["ttlMs"] = FRESH_MS.into();
        listed["cacheScope"] = "public".into();
    }
    result(id, stateless, listed)
}

/// The answer to a handshake: the version that is asked for where it is spoken, else the latest
/// that has a handshake.
pub fn initialize_result(asked: Option<&str>, server: &Value, instructions: &str) -> Value {
    let spoken = asked.filter(|asked| VERSIONS[1..].contains(asked));
    json!({
        "protocolVersion": spoken.unwrap_or(VERSIONS[1]),
        "capabilities": { "tools": {} },
        "serverInfo": server,
        "instructions": instructions,
    })
}

/// The answer to `server/discover`.
pub fn discover_result(server: &Value, instructions: &str) -> Value {
    json!({
        "supportedVersions": VERSIONS,
        "capabilities": { "tools": {} },
        "instructions": instructions,
        "_meta": { (META_SERVER): server },
    })
}
