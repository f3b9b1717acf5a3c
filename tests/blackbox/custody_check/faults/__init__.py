"""Faults: a deployment of its own, a nemesis that strikes it, and a proxy that lies."""
