"""The model of the USDT wallet, and the checks of its reads."""
