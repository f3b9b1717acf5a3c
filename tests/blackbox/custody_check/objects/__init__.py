"""A ledger of our own on objects in a folder, which vanish for a while and come back."""
