"""What protects a training loop: steps that fit, checkpoints, signals."""
