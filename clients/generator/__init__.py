"""Writes the generated files of both clients from the published document."""
