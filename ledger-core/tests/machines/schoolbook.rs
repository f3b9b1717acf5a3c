//! Numbers as at school: decimal digits on paper, so that what the core computes is computed twice.

use std::cmp::Ordering;

/// A natural number of any size: its decimal digits, the first one not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Big(Vec<u32>);

impl Big {
    pub fn new(number: impl ToString + Copy) -> Self {
        Self::trimmed(number.to_string().chars().map(|c| c.to_digit(10).unwrap()).collect())
    }

    /// Ten to the power of so many.
    pub fn ten_to(power: u32) -> Self {
        let zeros = std::iter::repeat_n(0, power as usize);
        Self(std::iter::once(1).chain(zeros).collect())
    }

    fn trimmed(digits: Vec<u32>) -> Self {
        Self(digits.into_iter().skip_while(|digit| *digit == 0).collect())
    }

    pub fn plus(&self, other: &Self) -> Self {
        let width = self.0.len().max(other.0.len()) + 1;
        let mut sum = vec![0; width];
        for number in [&self.0, &other.0] {
            let first = width - number.len();
            for (place, digit) in number.iter().enumerate() {
                sum[first + place] += digit;
            }
        }
        Self::carried(sum)
    }

    pub fn times(&self, other: &Self) -> Self {
        let mut product = vec![0; self.0.len() + other.0.len()];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j + 1] += a * b;
            }
        }
        Self::carried(product)
    }

    fn carried(mut digits: Vec<u32>) -> Self {
        let mut carry = 0;
        for digit in digits.iter_mut().rev() {
            (carry, *digit) = ((*digit + carry) / 10, (*digit + carry) % 10);
        }
        assert_eq!(carry, 0, "there is room for the carry");
        Self::trimmed(digits)
    }

    /// What is left; `other` is at most this.
    pub fn minus(&self, other: &Self) -> Self {
        let first = self.0.len() - other.0.len();
        let mut digits = self.0.clone();
        let mut borrowed = 0;
        for place in (0..digits.len()).rev() {
            let taken = if place < first { 0 } else { other.0[place - first] } + borrowed;
            borrowed = u32::from(digits[place] < taken);
            digits[place] = digits[place] + 10 * borrowed - taken;
        }
        assert_eq!(borrowed, 0, "what is taken is at most what there is");
        Self::trimmed(digits)
    }

    /// Long division, rounded down.
    pub fn over(&self, divisor: &Self) -> Self {
        assert!(!divisor.0.is_empty(), "nothing is divided by zero");
        let mut rest = Self(Vec::new());
        let mut quotient = Vec::new();
        for digit in &self.0 {
            rest.0.push(*digit);
            rest = Self::trimmed(rest.0);
            let mut times = 0;
            while divisor <= &rest {
                rest = rest.minus(divisor);
                times += 1;
            }
            quotient.push(times);
        }
        Self::trimmed(quotient)
    }

    /// The number where a machine can count to it.
    pub fn small(&self) -> Option<u128> {
        let text: String = self.0.iter().map(ToString::to_string).collect();
        if text.is_empty() { Some(0) } else { text.parse().ok() }
    }
}

impl PartialOrd for Big {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Big {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(&other.0))
    }
}

#[test]
fn numbers_on_paper_are_numbers() {
    let big = |n: u128| Big::new(n);
    assert_eq!(big(0).plus(&big(0)).small(), Some(0));
    assert_eq!(big(999).plus(&big(1)).small(), Some(1_000));
    assert_eq!(big(1_000).minus(&big(999)).small(), Some(1));
    assert_eq!(big(907).times(&big(1_009)).small(), Some(907 * 1_009));
    assert_eq!(big(12_345).times(&big(0)).small(), Some(0));
    assert_eq!(big(1_000_000).over(&big(7)).small(), Some(142_857));
    assert_eq!(big(6).over(&big(7)).small(), Some(0));
    assert_eq!(big(700_007).over(&big(7)).small(), Some(100_001));
    assert!(big(99) < big(100) && big(101) > big(100));
    assert_eq!(Big::ten_to(3).small(), Some(1_000));
    let most = big(u128::MAX);
    assert_eq!(most.plus(&big(1)).small(), None);
    assert_eq!(most.times(&most).over(&most), most);
}
