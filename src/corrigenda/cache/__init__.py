"""What is kept on disk because it costs time to make."""
