"""Several ledgers behind one directory, between which accounts move while requests go on."""
