"""Reading conversation by rule, with no model: facts, tasks and summaries from grammars of plain language."""
