"""Whether a study is sound: what is wrong with it, where, and what can be done."""
