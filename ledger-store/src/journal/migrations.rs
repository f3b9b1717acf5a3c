//! The steps that bring a database's tables up to date, as sqlx applies them: each once, in their
//! order, and never again in another form.

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// The steps of these descriptions and statements, numbered from 1.
pub(super) fn migrator(steps: &[(&'static str, &'static str)]) -> Migrator {
    let steps = (1..).zip(steps).map(|(version, (description, statements))| {
        let statements = statements.into_sql_str();
        Migration::new(version, (*description).into(), MigrationType::Simple, statements, false)
    });
    Migrator::with_migrations(steps.collect())
}

#[cfg(test)]
mod tests {
    use ledger_core::hexadecimal::digits;

    use crate::journal::postgres;
    use crate::journal::sqlite;

    /// SHA-384 of each file, as databases keep it: another one could not be opened again.
    #[test]
    fn a_step_that_databases_have_taken_never_changes() {
        let sqlite = [
            (
                1,
                "journal",
                "61901cbbdcde5196d5ac4ad1a97f3b9b566757a0ee4b4f06b3e652cc4588f43e9582d7309e4dd5f280800e23332efa3f",
            ),
            (
                2,
                "vault key check",
                "96f2927d3e6e2e0e5134ca85b2c809029eece80350eb27b5171bce594b23527a808f6a5f36ae0f2c7cf10f2fd555e93d",
            ),
            (
                3,
                "lease",
                "9e20c25bfffcbbef1ab5a96ad510951ea690514e249836c85acef114fa84460155173879bd1239dcfc27991c8c22a287",
            ),
            (
                4,
                "environment",
                "334b4fd4e4695621c27dd4ecd38235d3fd81f48bebd8ddce31d4f069321981744dda21b2726e026856a1270285378783",
            ),
            (
                5,
                "legal hold",
                "aff5793ea5d41938cf9209d91013386effc2c8ca23f956d23fea5062013369b95a3b6c7fd39fb10a3653dc9853fcda73",
            ),
            (
                6,
                "holder",
                "44ebc6a3d8bed72a20558a18db63f3e634d322794f90664098126ed4e01e65f1e0115336b79083baa7eb4426c6d25ead",
            ),
            (
                7,
                "vault erasure",
                "4063dfbb01d5c3321fe3e1d92e2a17f35d5b1b31abc067bf0e5282419c4fc5288038e7dff4bc95176dc316e465b3865d",
            ),
        ];
        let postgres = [
            (
                1,
                "journal",
                "0e4cfb35b8a178365ab52d7c388d0debe983f2fb32bf6740bf874669797b3358013c5025bf4c2c472794c5bd5ddde48a",
            ),
            (
                2,
                "payload as it is",
                "4775a717a86bf373c6a9d4c61c55676ecc336a2d591330d0965959422968f85c3da42a994bc09fcf056a8d2a10eb36ba",
            ),
            (
                3,
                "vault key check",
                "9c691e77add511601f302e5afeec41f4fd9e3ee84a781395456030a710f385be3c227b90976463b34e4b5e4fbfd9ec38",
            ),
            (
                4,
                "lease",
                "0d02dee2a9c1eeaadd691ba0d6ddbb69cd7d9f418f5ded8c98c6aaeba18162f1a1b15b50d5b9b528c9a115da37079d71",
            ),
            (
                5,
                "environment",
                "32328f1e82bd3f544436d90e76660b8d5afe7a2cc5bef49007e9a6af2649d3b72c809de55dc98dc180c0f4c4df984056",
            ),
            (
                6,
                "append",
                "597ff5cab9c25639fe0f5c301a79e240e7c1101f6ce9d39bf50e42322086be919ceb4cdb55610335bee4248aee56394e",
            ),
            (
                7,
                "legal hold",
                "6f6de30575d4cca9e1f53e310e51dadc1efafe4a515835b0c1908cec2fd272e49221f3664851a334b86f561df9a5bd29",
            ),
            (
                8,
                "holder",
                "4aa54f6cf8bc38e18702daba7c56b92b3b5701e9bdb553601caecc42d08502f9931b3a40aea72e52cfb85baacb6b0522",
            ),
            (
                9,
                "vault erasure",
                "09a72e1433a56c19c15dc50c4dea6e57b6c696bbbc30f5d2aeeb2c77811f42767f56d81ec0e3cb42f9b011405dfd2ac9",
            ),
        ];
        assert_eq!(recorded_steps(&sqlite::MIGRATIONS), sqlite.map(owned_step));
        assert_eq!(recorded_steps(&postgres::MIGRATIONS), postgres.map(owned_step));
    }

    fn owned_step((version, description, sum): (i64, &str, &str)) -> (i64, String, String) {
        (version, description.to_owned(), sum.to_owned())
    }

    fn recorded_steps(steps: &sqlx::migrate::Migrator) -> Vec<(i64, String, String)> {
        let kept = |step: &sqlx::migrate::Migration| {
            (step.version, step.description.to_string(), digits(&step.checksum))
        };
        steps.iter().map(kept).collect()
    }
}
