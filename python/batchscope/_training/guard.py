"""One optimizer step at a time, protected."""


class TrainingGuard:
    """Runs the steps of a training loop so that a failure loses nothing."""
