"""Whether words that were said support what is claimed of them: decided by code, whoever claims it."""
