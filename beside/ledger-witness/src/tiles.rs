//! The tree over a ledger's records as the static files of C2SP tlog-tiles.
//!
//! ```text
//! FOLDER/checkpoint                     the last checkpoint, with its cosignatures
//! FOLDER/tile/0/000                     hashes of leaves 0 to 255
//! FOLDER/tile/0/x001/234.p/112          the first 112 hashes of tile 1234, which is not full yet
//! FOLDER/tile/1/000                     the roots of tiles 0 to 255 of level 0
//! ```
//!
//! A leaf is the hash of a link of the journal, so tiles show that records exist, and nothing of
//! what they say. The entries themselves are private and not served.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ledger_proofs::tree::{self, Subtrees};
use thiserror::Error;

use crate::note::SignedNote;
use crate::request::TreeHead;
use crate::state::{ensure_folder, replace_file};

/// Hashes of a full tile.
pub const TILE_WIDTH: u64 = 256;

/// Levels that a tree of 64 bits can have.
const LEVELS: u8 = 8;

/// A tile by its level, its place and how many hashes it has.
///
/// ```
/// use ledger_witness::tiles::Tile;
///
/// let tile = Tile { level: 0, index: 1_234_067, width: 112 };
/// assert_eq!(tile.to_string(), "tile/0/x001/x234/067.p/112");
/// assert_eq!("tile/0/x001/x234/067.p/112".parse(), Ok(tile));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The level: 0 has the leaves, and 1 the roots of full tiles of level 0.
    pub level: u8,
    /// The place in its level.
    pub index: u64,
    /// How many hashes it has, 1 to 256.
    pub width: u64,
}

/// A path that names no tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the path names no tile of hashes")]
pub struct NoTile;

/// Why tiles cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TilesError {
    /// The text is no checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] crate::request::RequestMalformed),
    /// The tree cannot be read.
    #[error("the tree cannot be read")]
    Tree(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The tree has another root than the checkpoint.
    #[error("the tree has another root of {size} records than the checkpoint")]
    OtherTree {
        /// The checkpoint's records.
        size: u64,
    },
    /// The folder has the tiles of another log, or of a log that does not go on here.
    #[error("{} has tiles of another tree", .0.display())]
    OtherFolder(PathBuf),
    /// The folder cannot be written.
    #[error("{}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
}

impl TilesError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |source| Self::Io { path: path.to_owned(), source }
    }
}

impl Tile {
    /// Every tile of a tree of this size, the partial ones last in their level.
    pub fn of_tree(size: u64) -> impl Iterator<Item = Self> {
        (0..LEVELS).flat_map(move |level| {
            let hashes = size >> (8 * u32::from(level));
            let (full, left) = (hashes / TILE_WIDTH, hashes % TILE_WIDTH);
            let partial = (left > 0).then_some(Self { level, index: full, width: left });
            (0..full).map(move |index| Self { level, index, width: TILE_WIDTH }).chain(partial)
        })
    }

    /// The hashes of the tile, 32 bytes each.
    ///
    /// # Errors
    ///
    /// When a subtree cannot be read.
    pub fn read<S: Subtrees + ?Sized>(&self, subtrees: &mut S) -> Result<Vec<u8>, S::Error> {
        let first = self.index * TILE_WIDTH;
        let mut bytes = Vec::new();
        for index in first..first + self.width {
            let hash = subtrees.subtree(8 * u32::from(self.level), index)?;
            bytes.extend_from_slice(&hash.0);
        }
        Ok(bytes)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tile/{}/", self.level)?;
        let mut groups = vec![self.index % 1_000];
        let mut left = self.index / 1_000;
        while left > 0 {
            groups.push(left % 1_000);
            left /= 1_000;
        }
        for group in groups[1..].iter().rev() {
            write!(f, "x{group:03}/")?;
        }
        write!(f, "{:03}", groups[0])?;
        if self.width < TILE_WIDTH { write!(f, ".p/{}", self.width) } else { Ok(()) }
    }
}

impl FromStr for Tile {
    type Err = NoTile;

    fn from_str(path: &str) -> Result<Self, NoTile> {
        let rest = path.strip_prefix("tile/").ok_or(NoTile)?;
        let (level, rest) = rest.split_once('/').ok_or(NoTile)?;
        let (place, width) = match rest.split_once(".p/") {
            Some((place, width)) => (place, width.parse().map_err(|_| NoTile)?),
            None => (rest, TILE_WIDTH),
        };
        let digits: String = place.chars().filter(char::is_ascii_digit).collect();
        let level = level.parse().map_err(|_| NoTile)?;
        let tile = Self { level, index: digits.parse().map_err(|_| NoTile)?, width };
        // A path has one form: the one that is written.
        if tile.to_string() == path && width > 0 { Ok(tile) } else { Err(NoTile) }
    }
}

/// Writes the tiles of a checkpoint's tree into a folder, and then the checkpoint. Full tiles that
/// stand there stay; partial ones go when their full tile has come. Says how many it wrote.
///
/// # Errors
///
/// [`TilesError`], also where the folder has tiles that do not go on to this tree.
pub fn export<S>(
    subtrees: &mut S,
    checkpoint: &SignedNote,
    folder: &Path,
) -> Result<u64, TilesError>
where
    S: Subtrees + ?Sized,
    S::Error: std::error::Error + Send + Sync + 'static,
{
    let head = TreeHead::parse(checkpoint.text())?;
    let broken = |error: S::Error| TilesError::Tree(error.into());
    if tree::root(subtrees, head.size).map_err(broken)? != head.root {
        return Err(TilesError::OtherTree { size: head.size });
    }
    if let Some(last) = read_exported(folder)? {
        let goes_on = last.origin == head.origin
            && last.size <= head.size
            && tree::root(subtrees, last.size).map_err(broken)? == last.root;
        if !goes_on {
            return Err(TilesError::OtherFolder(folder.to_owned()));
        }
    }
    std::fs::create_dir_all(folder).map_err(TilesError::io(folder))?;
    let (mut count, mut ensured) = (0, None);
    for tile in Tile::of_tree(head.size) {
        let path = folder.join(tile.to_string());
        // One that is there is whole and durable: it was moved to its name after it was.
        if !path.exists() {
            let above = path.parent().map(Path::to_owned);
            if above != ensured {
                ensure_folders(folder, &tile)?;
                ensured = above;
            }
            write_file(&path, &tile.read(subtrees).map_err(broken)?)?;
            count += 1;
        }
        if tile.width == TILE_WIDTH {
            let mut partial = path.into_os_string();
            partial.push(".p");
            // One that was never there needs no removing, and one that stays does no harm.
            let _ = std::fs::remove_dir_all(partial);
        }
    }
    write_file(&folder.join("checkpoint"), checkpoint.to_string().as_bytes())?;
    Ok(count)
}

/// The tree that a folder has the tiles of; none where it has no checkpoint.
fn read_exported(folder: &Path) -> Result<Option<TreeHead>, TilesError> {
    let path = folder.join("checkpoint");
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(TilesError::io(&path))?,
    };
    let other = |_| TilesError::OtherFolder(folder.to_owned());
    let note: SignedNote = text.parse().map_err(other)?;
    TreeHead::parse(note.text()).map(Some).map_err(|_| TilesError::OtherFolder(folder.to_owned()))
}

/// Makes the folders of a tile, from that of all tiles on, durably.
fn ensure_folders(folder: &Path, tile: &Tile) -> Result<(), TilesError> {
    let path = folder.join(tile.to_string());
    let inner = path.ancestors().skip(1).take_while(|above| *above != folder);
    let mut folders: Vec<&Path> = inner.chain([folder]).collect();
    folders.reverse();
    folders.into_iter().try_for_each(|above| ensure_folder(above).map_err(TilesError::io(above)))
}

/// Writes a file that readers see whole or not at all, durably.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), TilesError> {
    replace_file(path, bytes).map_err(TilesError::io(path))
}
