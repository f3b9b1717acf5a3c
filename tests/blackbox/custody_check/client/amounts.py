"""Amounts as texts: USDT in millionths, reais in centavos."""


def usdt(amount: int) -> str:
    """Returns millionths as a text of six decimals."""
    return f"{amount // 1_000_000}.{amount % 1_000_000:06}"


def millionths(text: str) -> int:
    """Returns a text in USDT as millionths."""
    whole, _, part = text.partition(".")
    sign = -1 if whole.startswith("-") else 1
    return int(whole) * 1_000_000 + sign * int(part.ljust(6, "0") or 0)


def cents_of(text: str) -> int:
    """Returns a text in reais as centavos."""
    return millionths(text) // 10_000
