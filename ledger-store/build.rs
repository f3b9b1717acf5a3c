//! Builds again when a migration is added: they are embedded, and the compiler cannot see new files.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
