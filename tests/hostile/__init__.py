"""Hostile inputs and surroundings: tries made from a seed, run one by one, judged by what must hold for all of them."""
