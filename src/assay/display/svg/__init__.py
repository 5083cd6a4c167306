"""Pictures drawn here, as SVG inside the page: sizes are known, colours come from the page."""
