"""What a sentence asks for: something to do, a task, another manner."""
