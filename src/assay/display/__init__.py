"""What is shown of an artifact, before it is laid out: blocks, cells, sentences, figures.

Families say what there is to show in these terms; `assay.report` lays it out.
"""
