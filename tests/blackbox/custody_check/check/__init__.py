"""The checker: it holds a history against a model of the contract of its own."""
