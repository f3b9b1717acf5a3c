"""A black-box checker for a custody ledger, from its contract and published documents alone."""
