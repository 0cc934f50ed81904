"""The pages of the files that assistants keep about a person."""
