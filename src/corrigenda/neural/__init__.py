"""Where scores from pretrained models come from.

1. `model_source`: finds a model in a folder or on the hub, and names its exact revision.
2. `settings`: how models run: device, number type, batch size.
3. `encoder`, `bert_pairs`, `bart_pairs`: load a model and score sentence pairs in batches.
4. `score_store`: scores on disk, so that no pair is computed twice.
5. `pair_scores`, `scorers`: the scores that a metric asks for.

Importing this package does not load torch. When the store holds all scores of a run, the run never
loads a model.
"""
