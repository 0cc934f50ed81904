"""What a sentence says of somebody, and in what words it is kept."""
