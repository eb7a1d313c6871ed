"""The demo: a goal of the largest kind, from its classification to its delivery, without a model."""
