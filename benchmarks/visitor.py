"""A visitor of the app without a browser: what a tab sends and gets over Streamlit's websocket."""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

# Seconds after which a run counts as lost.
PATIENCE = 120


class Visitor:
    """One tab: a websocket, and the widgets that the page showed last."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.elements: list[Any] = []
        self.script_hash = ""
        self.fragments: dict[str, float] = {}
        self.n_faults = 0

    async def run(self, request: BackMsg) -> float:
        """Ask for a run, and return the seconds until it is over."""
        start = time.perf_counter()
        self.elements = []
        await self.socket.send(request.SerializeToString())
        while True:
            message = ForwardMsg.FromString(await asyncio.wait_for(self.socket.recv(), PATIENCE))
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.script_hash = message.new_session.page_script_hash
                if not message.metadata.run.fragment_ids:
                    # The whole page begins again, also where a fragment asked for it: what it was made of is gone.
                    self.elements, self.fragments = [], {}
            elif kind == "navigation":
                self.script_hash = message.navigation.page_script_hash
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                element = message.delta.new_element
                name = element.WhichOneof("type")
                self.n_faults += name == "exception"
                self.elements.append((name, getattr(element, name)) if name else ("", None))
            elif kind == "auto_rerun":
                self.fragments[message.auto_rerun.fragment_id] = message.auto_rerun.interval
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return time.perf_counter() - start

    async def open(self, page: str, link: str = "") -> float:
        request = BackMsg()
        request.rerun_script.page_name = page
        request.rerun_script.query_string = link
        request.rerun_script.context_info.url = ""
        return await self.run(request)

    async def act(self) -> float:
        request = BackMsg()
        request.rerun_script.page_script_hash = self.script_hash
        for name, shown in self.elements:
            state = request.rerun_script.widget_states.widgets.add(id=getattr(shown, "id", ""))
            if name == "number_input" and shown.default + shown.step <= shown.max:
                state.double_value = shown.default + shown.step
            elif name == "slider" and len(shown.options) > 1:
                chosen = int(shown.default[0] + 1) % len(shown.options)
                state.string_array_value.data.append(shown.options[chosen])
            elif name == "checkbox":
                state.bool_value = not shown.default
            else:
                del request.rerun_script.widget_states.widgets[-1]
                continue
            break
        return await self.run(request)

    async def write(self, rng: random.Random) -> float:
        """Write the words of the page's first text in another order; where there is none, act."""
        for name, shown in self.elements:
            if name in ("text_input", "text_area") and len(words := shown.default.split()) > 1:
                rng.shuffle(words)
                request = BackMsg()
                request.rerun_script.page_script_hash = self.script_hash
                request.rerun_script.widget_states.widgets.add(id=shown.id, string_value=" ".join(words))
                return await self.run(request)
        return await self.act()

    async def press(self, label: str) -> float:
        request = BackMsg()
        request.rerun_script.page_script_hash = self.script_hash
        (button,) = [shown for name, shown in self.elements if name == "button" and shown.label == label]
        request.rerun_script.widget_states.widgets.add(id=button.id, trigger_value=True)
        return await self.run(request)

    async def stay(self, seconds: float) -> None:
        """Do what an open tab does for so long."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            await self.look_on()

    async def look_on(self) -> None:
        """Run each fragment again, once, after the time that it asks for."""
        fragments = dict(self.fragments)
        await asyncio.sleep(min(fragments.values(), default=0.5))
        for fragment in fragments:
            if fragment not in self.fragments:
                return
            request = BackMsg()
            request.rerun_script.page_script_hash = self.script_hash
            request.rerun_script.fragment_id = fragment
            request.rerun_script.is_auto_rerun = True
            await self.run(request)


@asynccontextmanager
async def tab(address: str) -> AsyncIterator[Visitor]:
    """Yield a visitor of the app at ``address``, until the tab is closed."""
    url = urlsplit(address)
    stream = f"ws{'s' if url.scheme == 'https' else ''}://{url.netloc}{url.path.rstrip('/')}/_stcore/stream"
    origin = f"{url.scheme}://{url.netloc}"
    # A server that is busy answers late, and is measured all the same.
    async with connect(
        stream, max_size=None, origin=origin, subprotocols=["streamlit"], ping_interval=None, open_timeout=PATIENCE
    ) as socket:
        yield Visitor(socket)
