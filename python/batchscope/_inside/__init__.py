"""What runs within the process that is measured, or within the user's own."""
