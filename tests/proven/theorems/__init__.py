"""All theorems, in the order of the table in README.md."""

from theorems import (  # noqa: F401
    money, search, fee, price, sale, charge, wallet, limits, hold, agent, split,
)
