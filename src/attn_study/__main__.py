"""`python -m attn_study`."""

from attn_study.cli.main import main

main()
