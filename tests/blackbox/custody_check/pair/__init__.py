"""A pair: two processes on one store, an active and a standby, with a router before them."""
