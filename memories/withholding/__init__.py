"""Words of conversations and of lines beside them that no agent is shown any more."""
