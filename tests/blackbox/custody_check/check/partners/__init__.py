"""The model of the commission, and the checks of its reads."""
