"""Whether a text orders its reader about, moves trust or money, or wants to be hidden or spread: by its meaning."""
