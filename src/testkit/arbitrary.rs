//! Strategies of proptest for what a service says: every value, request and fact.
//!
//! A value is drawn as services say it: names and ids mostly out of a few, so that they meet again;
//! amounts mostly small, some at their bounds. Whatever is drawn is well formed; whether it fits
//! the ledger, the ledger says.

use proptest::arbitrary::Arbitrary;
use proptest::option;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;
use proptest::strategy::BoxedStrategy;

use crate::value::{
    AccountName, Amount, Bps, Cents, CustomerRef, DecidedBy, Decimal, Document, EndToEndId,
    ExternalId, FactId, Instant, Metadata, OperationId, PageSize, Party, PixKey, Scalar, Span,
    Text,
};

/// The first instant that is drawn: the twentieth of November 2026 at noon, UTC.
const NOON: &str = "2026-11-20T12:00:00Z";

/// The largest amount that is drawn: ten thousand million reais, in centavos.
const LARGEST: i64 = 1_000_000_000_000;

/// What can be drawn.
pub trait Drawn: Sized + std::fmt::Debug {
    /// Draws any value of the type that is well-formed.
    fn strategy() -> BoxedStrategy<Self>;
}

/// Texts of which a value can be made.
fn text_strategy<T: std::fmt::Debug + 'static, E: std::fmt::Debug + 'static>(
    texts: impl Strategy<Value = String> + 'static,
    make: fn(&str) -> Result<T, E>,
) -> BoxedStrategy<T> {
    texts.prop_map(move |text| make(&text).expect("only well-formed texts are drawn")).boxed()
}

/// A few names that meet again, and now and then another.
fn names(few: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![
        9 => select(few).prop_map(str::to_owned),
        1 => "[a-z]{1,3}[a-zà-ú0-9 ._@-]{0,20}",
    ]
}

/// One of so many numbered ids.
fn ids(prefix: &'static str, many: u32) -> impl Strategy<Value = String> {
    (0..many).prop_map(move |number| format!("{prefix}-{number}"))
}

impl Drawn for Amount {
    fn strategy() -> BoxedStrategy<Self> {
        let cents = prop_oneof![
            8 => 1..=50_000_i64,
            3 => 50_000..=5_000_000_i64,
            1 => Just(1),
            1 => 5_000_000..=LARGEST,
        ];
        cents.prop_map(|cents| Self::new(cents).expect("it is above zero")).boxed()
    }
}

impl Drawn for Cents {
    fn strategy() -> BoxedStrategy<Self> {
        let cents = prop_oneof![1 => Just(0), 8 => 1..=50_000_i64, 1 => 50_000..=LARGEST];
        cents.prop_map(|cents| Self::new(cents).expect("it is not below zero")).boxed()
    }
}

impl Drawn for Bps {
    fn strategy() -> BoxedStrategy<Self> {
        (0..=10_000_u16).prop_map(|bps| Self::new(bps).expect("at most the whole")).boxed()
    }
}

impl Drawn for PageSize {
    fn strategy() -> BoxedStrategy<Self> {
        (1..=Self::LARGEST.get()).prop_map(|rows| Self::new(rows).expect("a page's")).boxed()
    }
}

impl Drawn for Decimal {
    fn strategy() -> BoxedStrategy<Self> {
        (1..=100_000_000_i64, 0..=6_u32).prop_map(|(units, scale)| Self::new(units, scale)).boxed()
    }
}

impl Drawn for Instant {
    fn strategy() -> BoxedStrategy<Self> {
        let noon = Self::parse(NOON).expect("it is RFC 3339");
        (0..=3 * 86_400_u32).prop_map(move |seconds| noon.after(Span::seconds(seconds))).boxed()
    }
}

impl Drawn for Document {
    fn strategy() -> BoxedStrategy<Self> {
        let few = select(&["52998224725", "11144477735", "39053344705", "11222333000181"][..]);
        let cpf = (1..=999_999_998_u32).prop_filter_map("its digits are not all equal", |root| {
            let checked = |check: u32| Self::new(&format!("{root:09}{check:02}")).ok();
            (0..100).find_map(checked)
        });
        prop_oneof![
            4 => few.prop_map(|text| Self::new(text).expect("its check digits are right")),
            1 => cpf,
        ]
        .boxed()
    }
}

impl Drawn for PixKey {
    fn strategy() -> BoxedStrategy<Self> {
        let random = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
        text_strategy(
            prop_oneof![
                4 => select(&["ana@example.com", "bruno@example.com", "+5511987654321"][..])
                    .prop_map(str::to_owned),
                1 => "[a-z]{1,12}@[a-z]{1,8}\\.com",
                1 => random,
            ],
            Self::new,
        )
    }
}

impl Drawn for EndToEndId {
    fn strategy() -> BoxedStrategy<Self> {
        text_strategy(
            prop_oneof![
                3 => (0..24_u32)
                    .prop_map(|number| format!("E90400888202611201200{number:011}")),
                1 => "E9040088820261120120[0-5][a-zA-Z0-9]{11}",
            ],
            Self::new,
        )
    }
}

impl Drawn for OperationId {
    fn strategy() -> BoxedStrategy<Self> {
        text_strategy("(ci|po|tr|ho|su|co)_[0-9a-f]{28}", Self::new)
    }
}

impl Drawn for ExternalId {
    fn strategy() -> BoxedStrategy<Self> {
        text_strategy(prop_oneof![4 => ids("x", 64), 1 => "[a-zA-Z0-9_-]{1,40}"], Self::new)
    }
}

impl Drawn for FactId {
    fn strategy() -> BoxedStrategy<Self> {
        text_strategy(prop_oneof![4 => ids("f", 64), 1 => "[a-zA-Z0-9_-]{1,40}"], Self::new)
    }
}

impl Drawn for AccountName {
    fn strategy() -> BoxedStrategy<Self> {
        text_strategy(names(&["loja", "mercado"]), Self::new)
    }
}

impl Drawn for CustomerRef {
    fn strategy() -> BoxedStrategy<Self> {
        text_strategy(names(&["ana", "bruno", "carla"]), Self::new)
    }
}

impl Drawn for Party {
    fn strategy() -> BoxedStrategy<Self> {
        let customer = CustomerRef::strategy().prop_map(Self::Customer);
        prop_oneof![1 => Just(Self::House), 4 => customer].boxed()
    }
}

impl<const MOST: usize> Drawn for Text<MOST> {
    fn strategy() -> BoxedStrategy<Self> {
        let texts = prop_oneof![4 => "[a-z]{1,8}", 1 => "[ -~à-ü]{1,40}"];
        text_strategy(texts.prop_map(|text| text.chars().take(MOST).collect()), Self::new)
    }
}

impl Drawn for Metadata {
    fn strategy() -> BoxedStrategy<Self> {
        let scalar = prop_oneof![
            3 => "[ -~à-ü]{0,40}".prop_map(Scalar::Text),
            2 => (-1_000_000..=1_000_000_i64).prop_map(Scalar::Whole),
            1 => any::<bool>().prop_map(Scalar::Flag),
            1 => Just(Scalar::Null),
        ];
        proptest::collection::vec((names(&["pedido", "parcela", "loja"]), scalar), 0..6)
            .prop_map(|pairs| Self::new(pairs).expect("a few pairs are within the bounds"))
            .boxed()
    }
}

impl Drawn for DecidedBy {
    fn strategy() -> BoxedStrategy<Self> {
        (Text::<255>::strategy(), Text::<255>::strategy(), option::of(Text::<255>::strategy()))
            .prop_map(|(actor, reason, evidence)| Self { actor, reason, evidence })
            .boxed()
    }
}

impl Drawn for bool {
    fn strategy() -> BoxedStrategy<Self> {
        any::<Self>().boxed()
    }
}

impl Drawn for u16 {
    fn strategy() -> BoxedStrategy<Self> {
        (1..=500_u16).boxed()
    }
}

/// Centavos of either sign.
impl Drawn for i64 {
    fn strategy() -> BoxedStrategy<Self> {
        prop_oneof![4 => -50_000..=50_000_i64, 1 => -LARGEST..=LARGEST].boxed()
    }
}

impl<T: Drawn + 'static> Drawn for Option<T> {
    fn strategy() -> BoxedStrategy<Self> {
        option::of(T::strategy()).boxed()
    }
}

impl<T: Drawn + 'static> Drawn for Vec<T> {
    fn strategy() -> BoxedStrategy<Self> {
        proptest::collection::vec(T::strategy(), 0..4).boxed()
    }
}

impl<T: Drawn + 'static> Drawn for Box<T> {
    fn strategy() -> BoxedStrategy<Self> {
        T::strategy().prop_map(Box::new).boxed()
    }
}

/// Draws a type of this crate by `any`.
macro_rules! by_any {
    ($($name:ty),*) => {
        $(
            impl Arbitrary for $name {
                type Parameters = ();
                type Strategy = BoxedStrategy<Self>;

                fn arbitrary_with((): ()) -> Self::Strategy {
                    <Self as Drawn>::strategy()
                }
            }
        )*
    };
}

by_any!(
    AccountName,
    CustomerRef,
    DecidedBy,
    Document,
    EndToEndId,
    ExternalId,
    FactId,
    Metadata,
    OperationId,
    PageSize,
    Party,
    PixKey
);

impl<const MOST: usize> Arbitrary for Text<MOST> {
    type Parameters = ();
    type Strategy = BoxedStrategy<Self>;

    fn arbitrary_with((): ()) -> Self::Strategy {
        Self::strategy()
    }
}

/// Amounts as services say them: mostly small, some at the bounds.
pub fn amounts() -> impl Strategy<Value = Amount> {
    Amount::strategy()
}

/// Draws a structure by its fields; whatever its fields are, its strategy is one tuple in another.
macro_rules! drawn {
    ($name:ident { $($field:ident: $of:ty),* $(,)? }) => {
        impl $crate::testkit::arbitrary::Drawn for $name {
            fn strategy() -> ::proptest::strategy::BoxedStrategy<Self> {
                use ::proptest::strategy::Strategy as _;
                $crate::testkit::arbitrary::nested!(drawn $($of,)*)
                    .prop_map(|$crate::testkit::arbitrary::nested!(named $($field,)*)| {
                        Self { $($field),* }
                    })
                    .boxed()
            }
        }
        $crate::drawn!(any $name);
    };
    (any $name:ident) => {
        impl ::proptest::arbitrary::Arbitrary for $name {
            type Parameters = ();
            type Strategy = ::proptest::strategy::BoxedStrategy<Self>;

            fn arbitrary_with((): ()) -> Self::Strategy {
                <Self as $crate::testkit::arbitrary::Drawn>::strategy()
            }
        }
    };
    (one $name:ident { $($word:ident),* $(,)? }) => {
        impl $crate::testkit::arbitrary::Drawn for $name {
            fn strategy() -> ::proptest::strategy::BoxedStrategy<Self> {
                use ::proptest::strategy::Strategy as _;
                ::proptest::sample::select(&[$(Self::$word),*][..]).boxed()
            }
        }
        $crate::drawn!(any $name);
    };
}
pub(crate) use drawn;

/// Strategies, or names, one in another.
macro_rules! nested {
    (drawn) => { ::proptest::strategy::Just(()) };
    (drawn $of:ty, $($rest:ty,)*) => {
        (
            <$of as $crate::testkit::arbitrary::Drawn>::strategy(),
            $crate::testkit::arbitrary::nested!(drawn $($rest,)*),
        )
    };
    (named) => { () };
    (named $field:ident, $($rest:ident,)*) => {
        ($field, $crate::testkit::arbitrary::nested!(named $($rest,)*))
    };
}
pub(crate) use nested;
