"""Arithmetic over integers and over SMT terms alike.

A mirror written with these functions runs on Python's integers, and then returns numbers, or on
terms, and then builds a formula. Integers are unbounded in both; each width of Rust is a condition
of its own: `fits` decides a checked operation, and `held` claims that an unchecked one never wraps.
"""

from contextlib import contextmanager

I64 = (-(2**63), 2**63 - 1)
I128 = (-(2**127), 2**127 - 1)
U16 = (0, 2**16 - 1)
U128 = (0, 2**128 - 1)


class Overflow(Exception):
    """An unchecked operation left its width, in a run over integers."""


class Term:
    """A node of a formula, named once and then used by its name."""

    def __init__(self, text, is_bool=False):
        self.text, self.is_bool = text, is_bool

    def __add__(self, other):
        return current().node("+", self, other)

    def __radd__(self, other):
        return current().node("+", other, self)

    def __sub__(self, other):
        return current().node("-", self, other)

    def __rsub__(self, other):
        return current().node("-", other, self)

    def __mul__(self, other):
        return current().node("*", self, other)

    def __rmul__(self, other):
        return current().node("*", other, self)

    def __neg__(self):
        return current().node("-", self)

    def __lt__(self, other):
        return current().node("<", self, other, is_bool=True)

    def __le__(self, other):
        return current().node("<=", self, other, is_bool=True)

    def __gt__(self, other):
        return current().node(">", self, other, is_bool=True)

    def __ge__(self, other):
        return current().node(">=", self, other, is_bool=True)

    def __bool__(self):
        raise TypeError("a term has no value yet: use ite, all_of or any_of")


class Formula:
    """The lines of SMT-LIB that terms are made of, and the widths that they have to keep."""

    def __init__(self):
        self.lines, self.names, self.path, self.widths, self.quotients = [], {}, [], [], {}

    def constant(self, name, is_bool=False):
        sort = "Bool" if is_bool else "Int"
        self.lines.append(f"(declare-const {name} {sort})")
        return Term(name, is_bool)

    def fresh(self, prefix):
        return self.constant(f"{prefix}!{len(self.lines)}")

    def node(self, op, *parts, is_bool=False):
        text = f"({op} {' '.join(written(part) for part in parts)})"
        if text not in self.names:
            name = f"t!{len(self.lines)}"
            sort = "Bool" if is_bool else "Int"
            self.lines.append(f"(define-fun {name} () {sort} {text})")
            self.names[text] = Term(name, is_bool)
        return self.names[text]

    def suppose(self, condition):
        self.lines.append(f"(assert {written(condition)})")

    def quotient(self, a, b):
        """Names quotient and remainder by what defines them, which helps with symbolic divisors."""
        key = (written(a), written(b))
        if key not in self.quotients:
            q, r = self.fresh("q"), self.fresh("r")
            defined = all_of(eq(a, q * b + r), 0 <= r, r < b)
            self.suppose(implies(0 < b, defined))
            self.suppose(implies(all_of(0 < b, 0 <= a), 0 <= q))
            self.quotients[key] = (q, r)
        return self.quotients[key]


FORMULAS = []


def current():
    """The formula that terms are added to."""
    return FORMULAS[-1]


def written(part):
    """A number, a truth value or a term in SMT-LIB."""
    if isinstance(part, Term):
        return part.text
    if isinstance(part, bool):
        return "true" if part else "false"
    return str(part) if part >= 0 else f"(- {-part})"


def symbolic(*parts):
    """Tells whether any of the parts is a term."""
    return any(isinstance(part, Term) for part in parts)


def eq(a, b):
    """Equality, of numbers or of truth values."""
    if not symbolic(a, b):
        return a == b
    return current().node("=", a, b, is_bool=True)


def all_of(*parts):
    """Conjunction; constants are folded."""
    left = [part for part in parts if part is not True]
    if any(part is False for part in left):
        return False
    if len(left) < 2:
        return left[0] if left else True
    return current().node("and", *left, is_bool=True)


def any_of(*parts):
    """Disjunction; constants are folded."""
    left = [part for part in parts if part is not False]
    if any(part is True for part in left):
        return True
    if len(left) < 2:
        return left[0] if left else False
    return current().node("or", *left, is_bool=True)


def negate(part):
    """Negation."""
    return current().node("not", part, is_bool=True) if symbolic(part) else not part


def implies(a, b):
    """Implication."""
    return any_of(negate(a), b)


def same(a, b):
    """Tells whether both conditions hold, or neither."""
    return eq(a, b)


def ite(condition, a, b):
    """One of two values, by a condition."""
    if not symbolic(condition):
        return a if condition else b
    if not symbolic(a, b) and a is b:
        return a
    is_bool = isinstance(a, bool) or (isinstance(a, Term) and a.is_bool)
    return current().node("ite", condition, a, b, is_bool=is_bool)


def least(a, b):
    """The smaller of two numbers."""
    return ite(a <= b, a, b)


def most(a, b):
    """The larger of two numbers."""
    return ite(a <= b, b, a)


def fits(value, width):
    """Tells whether a width holds a value: what a checked operation of Rust asks."""
    return all_of(width[0] <= value, value <= width[1])


def held(value, width):
    """Returns a value that the code computes unchecked; the width becomes an obligation."""
    obliged(fits(value, width))
    return value


def obliged(condition):
    """Notes what the code relies on where it stands: Rust panics, or wraps, where it is false."""
    if symbolic(condition):
        formula = current()
        formula.widths.append(implies(all_of(*formula.path), condition))
    elif not condition:
        if not FORMULAS:
            raise Overflow
        current().widths.append(negate(all_of(*current().path)))


def div(a, b):
    """Rust's division of what is not negative, which truncates and floors alike."""
    obliged(0 <= a)
    obliged(0 < b)
    return current().quotient(a, b)[0] if symbolic(a, b) else a // b


def rem(a, b):
    """Rust's remainder of what is not negative."""
    obliged(0 <= a)
    obliged(0 < b)
    return current().quotient(a, b)[1] if symbolic(a, b) else a % b


def quotient(a, b):
    """The quotient that a claim speaks of, rounded down: it obliges nothing."""
    return current().quotient(a, b)[0] if symbolic(a, b) else a // b


@contextmanager
def where(condition):
    """Obligations inside hold only where the condition does: code after a `?`."""
    if FORMULAS:
        current().path.append(condition)
    try:
        yield
    finally:
        if FORMULAS:
            current().path.pop()


class Maybe:
    """An `Option`: a condition, and a value that means something where it holds."""

    def __init__(self, some, value):
        self.some, self.value = some, value

    def then(self, step):
        """`and_then`, and `?`: continues with the value."""
        if self.some is False:
            return NONE
        with where(self.some):
            next_ = step(self.value)
        if not isinstance(next_, Maybe):
            return Maybe(self.some, next_)
        return Maybe(all_of(self.some, next_.some), next_.value)

    def holds(self, test):
        """`is_some_and`."""
        if self.some is False:
            return False
        with where(self.some):
            return all_of(self.some, test(self.value))

    def lacks_or(self, test):
        """`is_none_or`."""
        if self.some is False:
            return True
        with where(self.some):
            return implies(self.some, test(self.value))

    def or_else(self, default):
        """`unwrap_or`."""
        return ite(self.some, self.value, default) if self.some is not False else default


class Nothing:
    """The value of an integer `None`: claims may name it where they do not depend on it."""

    def nothing(self, *_):
        return self

    def never(self, _):
        return False

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = nothing
    __getitem__ = __floordiv__ = nothing
    __lt__ = __le__ = __gt__ = __ge__ = never


NONE = Maybe(False, Nothing())


def some_if(condition, value):
    """`then_some`: the value where the condition holds."""
    return NONE if condition is False else Maybe(condition, value)
