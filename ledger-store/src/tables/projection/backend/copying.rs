//! Rows as `COPY` takes them: PostgreSQL's binary format, version of 1999 to this day.

use sqlx::PgConnection;

use crate::tables::projection::schema::table::{Cell, Cells, Table};

/// The signature, no flags, no further header.
const HEADER: &[u8; 19] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// In the place of a row's count of fields, it ends the rows; in that of a field's length, it is
/// null.
const NONE_FOLLOWS: i16 = -1;

/// About so many bytes go into a message.
const MESSAGE: usize = 1 << 16;

/// Adds rows, each of the columns of `table` without `ledger`, none of whose keys is there.
pub(super) async fn copy(
    connection: &mut PgConnection,
    table: &Table,
    ledger: &str,
    rows: &[Cells],
) -> sqlx::Result<()> {
    let (name, columns) = (table.name, table.all_columns());
    let statement = format!("COPY {name} ({columns}) FROM STDIN (FORMAT binary)");
    let mut copying = connection.copy_in_raw(&statement).await?;
    let mut message = HEADER.to_vec();
    for row in rows {
        push_row(&mut message, ledger, row);
        if message.len() >= MESSAGE {
            copying.send(&message[..]).await?;
            message.clear();
        }
    }
    message.extend(NONE_FOLLOWS.to_be_bytes());
    copying.send(&message[..]).await?;
    copying.finish().await.map(drop)
}

fn push_row(into: &mut Vec<u8>, ledger: &str, row: &Cells) {
    let fields = i16::try_from(row.len() + 1).expect("a table has some dozen columns");
    into.extend(fields.to_be_bytes());
    push_field(into, ledger.as_bytes());
    for cell in row {
        match cell {
            Cell::Null => into.extend(i32::from(NONE_FOLLOWS).to_be_bytes()),
            Cell::Integer(number) => push_field(into, &number.to_be_bytes()),
            Cell::Text(text) => push_field(into, text.as_bytes()),
        }
    }
}

fn push_field(into: &mut Vec<u8>, bytes: &[u8]) {
    let length = i32::try_from(bytes.len()).expect("no text of a row is a gigabyte");
    into.extend(length.to_be_bytes());
    into.extend(bytes);
}
