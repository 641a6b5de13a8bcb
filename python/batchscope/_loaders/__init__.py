"""Loops over a DataLoader of torch beside a step, as they are measured."""
