"""Addresses as clients of OpenAI and Anthropic put them together, with and without the person's id before them."""

from django.urls import URLPattern, path

from nebo.product.gateway.dialects.anthropic_messages import AnthropicMessages
from nebo.product.gateway.dialects.openai_chat import OpenAIChat
from nebo.product.gateway.dialects.openai_responses import OpenAIResponses
from nebo.product.gateway.views import CompletionView, PassView

COMPLETIONS = (OpenAIChat(), OpenAIResponses(), AnthropicMessages())
PASSED = (  # provider, path, methods
    ("anthropic", "messages/count_tokens", ["post"]),
    ("openai", "embeddings", ["post"]),
    ("openai", "moderations", ["post"]),
    ("", "models", ["get"]),
)


def below(prefix: str) -> list[URLPattern]:
    """All of them, below a prefix."""
    return [
        *[path(prefix + one.path, CompletionView.as_view(dialect=one)) for one in COMPLETIONS],
        *[
            path(prefix + place, PassView.as_view(provider=provider, path=place, http_method_names=methods))
            for provider, place, methods in PASSED
        ],
        path(
            f"{prefix}models/<str:model>",
            PassView.as_view(path="models", http_method_names=["get"]),
        ),
    ]


urlpatterns = [*below("v1/"), *below("gateway/u/<str:user>/v1/")]
