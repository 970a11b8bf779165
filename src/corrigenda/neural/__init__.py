"""Pretrained models: finding, loading, batching, caching. Nothing here is imported unless a metric asks for it."""
