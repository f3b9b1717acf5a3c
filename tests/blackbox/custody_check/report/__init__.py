"""The report of a run, as text and as one page."""
