"""Whether the server is for the one person who runs it."""

import os
from collections.abc import Mapping
from ipaddress import ip_address

import streamlit as st

FOR_OTHERS_VARIABLE = "SERVES_OTHERS"
"""In the environment, "yes" says that the server is for others, wherever it listens."""


def is_for_one_person() -> bool:
    """Return whether the server answers this machine alone, and this visitor came to it without a proxy.

    A proxy on this machine would hand on what others ask: it passes their address on, or the name that they called.
    """
    if os.environ.get(FOR_OTHERS_VARIABLE) == "yes":
        return False
    names = [st.get_option("server.address"), *st.get_option("server.allowedHosts")]
    return all(_is_of_this_machine(name or "") for name in names) and _came_directly(st.context.headers)


def _came_directly(headers: Mapping[str, str]) -> bool:
    by_name = {name.lower(): value for name, value in headers.items()}
    if any(name.startswith("x-forwarded-") or name in {"forwarded", "via", "x-real-ip"} for name in by_name):
        return False
    host = by_name.get("host", "localhost")
    return _is_of_this_machine(host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host)


def _is_of_this_machine(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
