"""What the explorer shows of a demo, as lines that know what a click on them means."""
