"""What a sentence and a unit are: words, characters, and sentences as arrays of ids."""
