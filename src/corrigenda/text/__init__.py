"""Sentences and the units in them: words, characters, and sentences as arrays of ids."""
