//! What was measured, on two cores of a shared virtual machine: each with the command that printed
//! it (benches/README.md).

/// Seconds of a sync of the disk.
pub const SYNC: f64 = 0.17e-3;

/// Seconds of a request over HTTP beside others: so much of the whole machine, clients not counted.
pub const REQUEST: f64 = 1.0 / 51_800.0 * 0.76;

/// Seconds from the loss of a writer until another answers, with a lease of two seconds.
pub const TAKE_OVER: f64 = 2.0;

/// Bytes of a transfer in the file of a ledger.
pub const DISK: f64 = 71.0;

/// Bytes of a transfer as objects.
pub const OBJECTS: f64 = 67.0;

/// Bytes of memory that an operation keeps when it has ended, its two rows included.
pub const ENDED: f64 = 26.0;

/// Bytes of memory of a subaccount.
pub const SUBACCOUNT: f64 = 288.0;

/// Bytes of a snapshot for each operation that has ended.
pub const SNAPSHOT: f64 = 22.0;

/// Bytes of a snapshot that are opened in a second.
pub const OPENED: f64 = 490e6;

/// Records that are replayed in a second from the first on, a million subaccounts.
pub const REPLAYED: f64 = 250_000.0;

/// Records that are audited in a second.
pub const AUDITED: f64 = 323_000.0;

/// A request to put an object, in dollars.
pub const PUT: f64 = 5e-6;

/// The same as a table: what, how much, of what, and what printed it.
pub const ALL: [(&str, f64, &str, &str); 11] = [
    ("a sync of the disk", SYNC * 1e3, "ms", "`cargo bench --bench append`"),
    (
        "a request over HTTP, the machine's share",
        REQUEST * 1e6,
        "µs",
        "`cargo bench -p ledger-http --bench http`",
    ),
    (
        "a writer's loss to the next answer, lease of 2 s",
        TAKE_OVER,
        "s",
        "`KILLS=200 cargo test --test serve -- --nocapture killed`",
    ),
    ("disk of a transfer", DISK, "bytes", "`cargo bench --bench growth`"),
    ("the same as objects", OBJECTS, "bytes", "`cargo bench --bench objects`"),
    ("memory of an operation that ended", ENDED, "bytes", "`cargo bench --bench scale`"),
    ("memory of a subaccount", SUBACCOUNT, "bytes", "`cargo bench --bench scale`"),
    ("snapshot of an operation that ended", SNAPSHOT, "bytes", "`cargo bench --bench growth`"),
    ("a snapshot opened", OPENED / 1e6, "MB/s", "`cargo bench --bench growth`"),
    ("replay from the first record", REPLAYED, "records/s", "`cargo bench --bench growth`"),
    ("audit", AUDITED, "records/s", "`custody-ledger audit`"),
];
