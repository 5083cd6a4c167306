"""What every family says about its artifacts: words, tables, sentences, figures."""
