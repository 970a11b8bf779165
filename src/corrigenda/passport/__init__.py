"""Passports: all that somebody else needs to check a score, without the texts of the corpus."""
