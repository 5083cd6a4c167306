"""Figures as Vega-Lite specifications without colours, and the looks that they are given."""
