"""What watches a loop while it runs."""
