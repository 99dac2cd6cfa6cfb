"""The toy language of the trained model: its words, its frames of sentences, what is held out."""
