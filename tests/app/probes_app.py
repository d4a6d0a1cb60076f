"""The section on probes alone; run by Streamlit."""

from viz.pages.length_generalization.probes import show_probes

show_probes("copy_repeat")
