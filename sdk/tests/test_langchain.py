"""LangChain's own types over a session of Nebo."""

from __future__ import annotations

import asyncio

import pytest
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables.history import RunnableWithMessageHistory
from nebo_client import AsyncNebo, User
from nebo_client.adapters.langchain import NeboChatMessageHistory


def test_messages_come_back_as_they_were(annie: User) -> None:
    history = NeboChatMessageHistory(annie.session("chat"))
    assert isinstance(history, BaseChatMessageHistory)
    assert history.messages == []
    call = {"name": "look_up", "args": {"word": "tea"}, "id": "c1", "type": "tool_call"}
    picture = [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": "data:,"}}]

    said = [
        SystemMessage("Be brief."), HumanMessage("I like tea."), AIMessage("", tool_calls=[call]),
        ToolMessage("green", tool_call_id="c1"), HumanMessage(picture), AIMessage("Green tea, then."),
    ]  # fmt: skip
    history.add_messages(said)

    back = NeboChatMessageHistory(annie.session("chat")).messages
    assert [(one.type, one.content) for one in back] == [(one.type, one.content) for one in said]
    assert back[2].tool_calls == [call]  # type: ignore[attr-defined]
    assert back[3].tool_call_id == "c1"  # type: ignore[attr-defined]


def test_what_was_said_in_plain_words_is_a_message_of_nebo_to_learn_from(annie: User) -> None:
    history = NeboChatMessageHistory(annie.session("chat"))
    history.add_user_message("I live in Ghent.")
    history.add_ai_message("A fine town.")

    told = [(one["role"], one["content"]) for one in annie.session("chat").messages()]

    assert told == [("user", "I live in Ghent."), ("assistant", "A fine town.")]
    assert annie.profile()["location"] == "Ghent"


def test_a_cleared_history_begins_anew_for_everyone_and_nebo_still_knows(annie: User) -> None:
    history, other = (NeboChatMessageHistory(annie.session("chat")) for _ in range(2))
    history.add_user_message("One.")
    other.clear()
    history.add_user_message("Two.")

    assert [one.content for one in other.messages] == ["Two."]
    assert "One." in [one["content"] for one in annie.session("chat").messages()]


def test_a_chain_remembers_by_session(annie: User) -> None:
    model = FakeListChatModel(responses=["Hello Ann.", "You are Ann."])
    prompt = ChatPromptTemplate.from_messages([MessagesPlaceholder("history"), ("human", "{input}")])
    chain = RunnableWithMessageHistory(
        prompt | model, lambda key: NeboChatMessageHistory(annie.session(key)),
        input_messages_key="input", history_messages_key="history",
    )  # fmt: skip
    for said in ("I'm Ann.", "Who am I?"):
        chain.invoke({"input": said}, config={"configurable": {"session_id": "chat"}})

    told = [one["content"] for one in annie.session("chat").messages()]

    assert told == ["I'm Ann.", "Hello Ann.", "Who am I?", "You are Ann."]


def test_the_same_with_an_event_loop(annie: User, elsewhere: AsyncNebo) -> None:
    async def talk() -> list[list[object]]:
        async with elsewhere as nebo:
            native = NeboChatMessageHistory(nebo.user(annie.id).session("chat"))
            in_a_thread = NeboChatMessageHistory(annie.session("chat"))
            await native.aadd_messages([HumanMessage("Hello.")])
            await in_a_thread.aadd_messages([AIMessage("Hi.")])
            before = [one.content for one in await native.aget_messages()]
            with pytest.raises(TypeError, match="AsyncNebo"):
                _ = native.messages
            await native.aclear()
            return [before, await in_a_thread.aget_messages()]

    assert asyncio.run(talk()) == [["Hello.", "Hi."], []]
