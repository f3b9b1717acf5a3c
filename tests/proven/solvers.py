"""The two provers, each given the same SMT-LIB text: unsat, sat with a model, or unknown."""

import re
import time

import cvc5
import z3

LIMIT = 300  # seconds of a clock, for a machine that is busy with other work


def by_z3(text, names, limit=LIMIT):
    """Asks z3."""
    solver = z3.Solver()
    solver.set("timeout", limit * 1000)
    solver.from_string(text)
    result = str(solver.check())
    if result != "sat":
        return result, None
    model = {constant.name(): solver.model()[constant] for constant in solver.model()}
    return result, {name: number(str(model[name])) if name in model else 0 for name in names}


def by_cvc5(text, names, limit=LIMIT):
    """Asks cvc5."""
    solver = cvc5.Solver()
    for option, value in (("tlimit-per", str(limit * 1000)), ("produce-models", "true")):
        solver.setOption(option, value)
    symbols = cvc5.SymbolManager(solver.getTermManager())
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL)\n{text}", "theorem")
    while not (command := parser.nextCommand()).isNull():
        failure = command.invoke(solver, symbols)
        if "error" in str(failure):
            raise ValueError(failure)
    result = solver.checkSat()
    if not result.isSat():
        return ("unsat" if result.isUnsat() else "unknown"), None
    known = {str(term): term for term in symbols.getDeclaredTerms()}
    return "sat", {name: number(str(solver.getValue(known[name]))) for name in names}


def number(text):
    """Reads an integer or a truth value of a model."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    digits = int(re.sub(r"[^0-9]", "", text))
    return -digits if "-" in text else digits


PROVERS = {"z3": by_z3, "cvc5": by_cvc5}


def timed(prover, text, names, limit=LIMIT):
    """Asks one prover, and measures the seconds of a core that it takes."""
    begun = time.process_time()
    result, model = PROVERS[prover](text, names, limit)
    return result, model, time.process_time() - begun
