"""Shared tasks on Codabench: a bundle to upload, and the program that scores a submission."""
