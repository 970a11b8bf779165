"""Is a difference real, where does it come from, and why: tests, slices, edits."""
