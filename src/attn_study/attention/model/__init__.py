"""A small causal transformer: run with its working kept, trained by gradients derived by hand."""
