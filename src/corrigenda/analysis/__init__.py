"""Tells whether a difference is real and where it comes from: tests, slices, edits."""
