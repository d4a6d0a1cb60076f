"""Arrays in, Plotly figure out; no streamlit, no torch."""
