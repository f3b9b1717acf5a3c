"""Theorems: what is claimed of a mirror, for which inputs, by which source, and how it could fail.

A theorem is a function of its inputs, which it draws from a `Proof`. Over terms each claim becomes
a question to the provers; over integers, where a counterexample is run again, it is true or false.
"""

from contextlib import contextmanager

from expression import FORMULAS, Formula, Overflow, all_of, eq, symbolic, written

THEOREMS = {}


class Theorem:
    """One row of the table in README.md, with a variant of the mirror that is planted wrong."""

    def __init__(self, name, states, ranges, source, wrong, body):
        self.name, self.states, self.ranges, self.source = name, states, ranges, source
        self.module, self.function, self.variant = wrong[:3]
        self.near = wrong[3] if len(wrong) > 3 else {}
        self.body = body

    @contextmanager
    def planted(self):
        """Puts the wrong variant in the mirror's place."""
        right = getattr(self.module, self.function)
        setattr(self.module, self.function, self.variant)
        try:
            yield
        finally:
            setattr(self.module, self.function, right)


def theorem(name, states, *, ranges, source, wrong):
    """Adds a theorem. `wrong` is module, function, variant, and inputs near a counterexample."""
    def add(body):
        if name in THEOREMS:
            raise ValueError(f"two theorems are called {name}")
        THEOREMS[name] = Theorem(name, states, ranges, source, wrong, body)
        return body
    return add


class Question:
    """One claim under all that was assumed or claimed before it."""

    def __init__(self, label, lines, goal, inputs):
        self.label, self.inputs = label, inputs
        self.text = "\n".join([*lines, f"(assert (not {written(goal)}))"])


class Proof:
    """Draws inputs as constants, and collects the questions."""

    def __init__(self, name, near):
        self.name, self.formula, self.is_planted = name, Formula(), near is not None
        self.near = near or {}
        self.inputs, self.questions, self.claimed = [], [], set()

    def number(self, name, low, high):
        constant = self.formula.constant(name)
        self.inputs.append(name)
        self.given(all_of(low <= constant, constant <= high))
        if name in self.near:
            self.given(eq(constant, self.near[name]))
        return constant

    def truth(self, name):
        constant = self.formula.constant(name, is_bool=True)
        self.inputs.append(name)
        if name in self.near:
            self.given(eq(constant, self.near[name]))
        return constant

    def given(self, condition):
        """Assumes a condition on the inputs."""
        self.formula.suppose(condition)

    def known(self, name, condition):
        """Uses an earlier theorem for the numbers at hand, which a planted variant may violate."""
        order = list(THEOREMS)
        if order.index(self.name) <= order.index(name):
            raise ValueError(f"{self.name} rests on {name}, which comes later")
        if not self.is_planted:
            self.formula.suppose(condition)

    def claim(self, label, condition):
        """Claims a condition, and lets later claims rest on it."""
        if condition is True:
            return
        self.questions.append(Question(label, self.formula.lines, condition, self.inputs))
        self.formula.suppose(condition)
        self.claimed.add(self.formula.lines[-1])

    def ends(self):
        """Claims last, and apart from all else, that no unchecked operation left its width."""
        lines = [line for line in self.formula.lines if line not in self.claimed]
        for width in {written(width): width for width in self.formula.widths}.values():
            if width is not True:
                self.questions.append(Question("no width is left", lines, width, self.inputs))

    @classmethod
    def of(cls, theorem_, near=None):
        """The questions of a theorem."""
        proof = cls(theorem_.name, near)
        FORMULAS.append(proof.formula)
        try:
            theorem_.body(proof)
            proof.ends()
        finally:
            FORMULAS.pop()
        return proof


class Refuted(Exception):
    """A claim that is false for the integers at hand."""


class Excluded(Exception):
    """The integers at hand are not among the inputs of the theorem."""


class Run:
    """Takes the inputs from a counterexample, and runs mirror and claims over integers."""

    def __init__(self, values):
        self.values = values

    def number(self, name, low, high):
        self.given(low <= self.values[name] <= high)
        return self.values[name]

    def truth(self, name):
        return self.values[name]

    def given(self, condition):
        if not condition:
            raise Excluded

    def known(self, name, condition):
        self.claim(name, condition)

    def claim(self, label, condition):
        assert not symbolic(condition)
        if not condition:
            raise Refuted(label)

    @classmethod
    def of(cls, theorem_, values):
        """Which claim is false for these inputs; none where all hold."""
        try:
            theorem_.body(cls(values))
        except Refuted as refuted:
            return str(refuted)
        except Overflow:
            return "no width is left"
        return None
