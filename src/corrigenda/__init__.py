"""Corrigenda measures grammatical error correction."""
